import { expect } from 'chai';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signMessage } from '../../../src/domain/webhooks/signMessage.js';
import { keyOfSecret, newSigningSecret, secretsInForce } from '../../../src/domain/webhooks/signingSecret.js';

function headersFor(secrets: readonly string[], id: string, body: string): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signMessage(secrets, { id, timestampSeconds, body }),
  };
}

describe('signMessage', () => {
  it('is verified by the official package, whatever the body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.stringMatching(/^[a-z0-9_]{1,40}$/), (value, id) => {
        const secret = newSigningSecret();
        const body = JSON.stringify({ value });
        expect(new Webhook(secret).verify(body, headersFor([secret], id, body))).to.deep.equal(
          JSON.parse(body),
        );
      }),
    );
  });

  it('is refused when the body, the id or the secret is another', () => {
    const secret = newSigningSecret();
    const headers = headersFor([secret], 'whd_1', '{"a":1}');
    const verify =
      (body: string, changed: object, key = secret) =>
      (): unknown =>
        new Webhook(key).verify(body, { ...headers, ...changed });
    expect(verify('{"a":2}', {})).to.throw('No matching signature');
    expect(verify('{"a":1}', { 'webhook-id': 'whd_2' })).to.throw('No matching signature');
    expect(verify('{"a":1}', {}, newSigningSecret())).to.throw('No matching signature');
    expect(verify('{"a":1}', {})).not.to.throw();
  });

  it('carries one signature a secret, separated by a space, and satisfies either', () => {
    const [old, fresh] = [newSigningSecret(), newSigningSecret()];
    const headers = headersFor([fresh, old], 'whd_1', '{}');
    expect(headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of [old, fresh]) expect(() => new Webhook(secret).verify('{}', headers)).not.to.throw();
  });
});

describe('signingSecret', () => {
  it('is whsec_ and base64 of 32 bytes, never the same', () => {
    const secret = newSigningSecret();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(keyOfSecret(secret)).to.have.length(32);
    expect(newSigningSecret()).not.to.equal(secret);
  });

  it('signs with the old secret too until the overlap ends, and not at its end', () => {
    const secrets = { current: 'new', previous: 'old', previousExpiresAt: '2026-01-02T00:00:00.000Z' };
    expect(secretsInForce(secrets, new Date('2026-01-01T23:59:59.999Z'))).to.deep.equal(['new', 'old']);
    expect(secretsInForce(secrets, new Date('2026-01-02T00:00:00.000Z'))).to.deep.equal(['new']);
    expect(secretsInForce({ current: 'new' }, new Date())).to.deep.equal(['new']);
  });
});
