import { expect } from 'chai';
import { readNewPasskey } from '../../src/accounts/passkeyCreation.js';
import { signInWithPasskey } from '../../src/accounts/passkeys.js';
import { OauthHarness } from '../oauth/OauthHarness.js';
import { SoftAuthenticator } from '../oauth/SoftAuthenticator.js';

const REQUEST = { challenge: 'YQ', rp: { id: 'localhost' }, user: { id: 'YQ' } };

describe("A browser's answer about a passkey", () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  /** What is read of a new passkey's answer with members of `response` replaced. */
  async function read(
    response: object,
    credentialId?: Buffer,
    id?: string,
  ): ReturnType<typeof readNewPasskey> {
    const made = new SoftAuthenticator(harness.baseUrl, credentialId).create(REQUEST);
    const answer = JSON.parse(made) as { id: string; rawId: string; response: object };
    const own = { id: id ?? answer.id, rawId: id ?? answer.rawId };
    const sent = { ...answer, ...own, response: { ...answer.response, ...response } };
    return readNewPasskey(harness.node.services, JSON.stringify(sent), async () => true);
  }

  it('signs nobody in when its id is no id of a passkey or it has no response', async () => {
    const longest = 'a'.repeat(1364);
    const response = {};
    const ids = ['\0', '\ud800', 'a b', '', 'a', `${longest}a`, 7, null, undefined];
    const answers = [null, 'text', [], { id: longest }, { id: longest, response: null }];
    for (const answer of [...answers, ...ids.map((id) => ({ id, response })), { id: longest, response }]) {
      const text = JSON.stringify(answer);
      expect(await signInWithPasskey(harness.node.services, text), text.slice(0, 80)).to.equal(undefined);
    }
  });

  it('makes no passkey when its transports are not a list of texts', async () => {
    for (const transports of ['usb', { a: 1 }, 7, null, [null], [1, { a: 1 }], [['a', 'b'], ['c']]])
      expect(await read({ transports }), JSON.stringify(transports)).to.equal(undefined);
  });

  it('makes a passkey with those of its transports that are known', async () => {
    const sent = ['usb', 'cable', '\0', '\ud800', 'x'.repeat(20_000), 'internal', 'usb'];
    expect(await read({ transports: sent })).to.deep.include({ transports: ['internal', 'usb'] });
    expect(await read({ transports: [] })).to.deep.include({ transports: [] });
    expect(await read({ transports: undefined }), 'a browser that does not know').to.deep.include({
      transports: [],
    });
  });

  it('makes no passkey when its id is longer than 1023 bytes or not the one of the attestation', async () => {
    expect(await read({}, Buffer.alloc(1023, 1))).to.not.equal(undefined);
    expect(await read({}, Buffer.alloc(1024, 1))).to.equal(undefined);
    expect(await read({}, Buffer.alloc(8192, 1), 'other')).to.equal(undefined);
  });
});
