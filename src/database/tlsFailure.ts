import { readFile } from 'node:fs/promises';
import { HostList } from './hosts/HostList.js';
import { StartFailure } from './StartFailure.js';

const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** @throws StartFailure naming the parameter of the URL whose file cannot be read */
export async function refuseUnreadableFiles(url: string, setting: string): Promise<void> {
  const [single] = new HostList(url).urls;
  for (const [name, file] of new URL(single ?? url).searchParams)
    if (FILES.includes(name) && file !== '')
      await readFile(file).catch((error: Error) => {
        throw new StartFailure(`${setting}: the file of ${name} cannot be read: ${error.message}`);
      });
}

/** Codes of Node for a certificate that no known authority vouches for. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Why TLS with the database fails, as the rest of a sentence; undefined when something else failed. */
export function explainTls(place: string, code: string, { message }: Error): string | undefined {
  const certificate = `the certificate of PostgreSQL at ${place}`;
  if (UNTRUSTED.has(code))
    return `${certificate} is not trusted (${code}): name the file of its CA with sslrootcert.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${certificate} does not name this host.`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${certificate} is not valid at this time (${code}).`;
  if (message === 'The server does not support SSL connections')
    return `PostgreSQL at ${place} offers no TLS, which sslmode asks for.`;
  if (/^ERR_(?:OSSL|SSL)_/.test(code))
    return `TLS with PostgreSQL at ${place} fails (${code}): check sslrootcert, sslcert and sslkey.`;
  return undefined;
}
