import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that a test server presents and a test client may trust. */
export interface TestCertificate {
  key: string;
  cert: string;
}

/**
 * A self-signed P-256 certificate (RFC 5280) for one DNS name, valid for the year around now. Made for each
 * run: none is kept.
 */
export function selfSignedCertificate(name: string): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const subject = sequence(der(0x31, sequence(oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from(name)))));
  const validity = sequence(utcTime(-1), utcTime(365));
  const names = sequence(oid([0x55, 0x1d, 0x11]), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  );
  const signature = sign('sha256', toSign, privateKey);
  const certificate = sequence(toSign, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const cert = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

function der(tag: number, content: Buffer): Buffer {
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function utcTime(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}
