import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import { leaveProviderContext } from '../../src/oauth/leaveProviderContext.js';
import { describeIf } from '../support/describeIf.js';
import { OauthHarness } from './OauthHarness.js';

/** Node tells it on the object, though not in its types. */
type Storage = AsyncLocalStorage<unknown> & { enabled: boolean };

/** Since Node 24 a storage that was entered costs other promises nothing, and cannot be asked. */
const TELLS = 'enabled' in new AsyncLocalStorage();
const WHY_NOT = 'since Node 24 an async context is not enabled and disabled';

describeIf(TELLS, WHY_NOT, 'The async context of the provider', () => {
  let harness: OauthHarness;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  it('is enabled during a token request and disabled after it', async () => {
    const storage = await storageOfProvider();
    const entered: boolean[] = [];
    const run = storage.run.bind(storage) as (...values: unknown[]) => unknown;
    storage.run = ((...values: unknown[]) => {
      const result = run(...values);
      entered.push(storage.enabled);
      return result;
    }) as Storage['run'];
    try {
      const { appId, secret } = await harness.addApp();
      const tokens = Array.from({ length: 8 }, () => tokenStatus(harness.baseUrl, appId, secret));
      expect(await Promise.all(tokens)).to.deep.equal(Array<number>(8).fill(200));
    } finally {
      storage.run = run as Storage['run'];
    }
    expect(entered).to.deep.equal(Array<boolean>(8).fill(true));
    expect(storage.enabled).to.equal(false);
  });
});

describeIf(TELLS, WHY_NOT, 'leaveProviderContext', () => {
  it('disables the context when the last request ends or fails', async () => {
    const storage = await storageOfProvider();
    const within: { leave: () => void; fail: (error: Error) => void }[] = [];
    const request = () => new Promise<void>((leave, fail) => within.push({ leave, fail }));
    const handle = await leaveProviderContext(() => storage.run({}, request));
    const [first, second] = [handle(), handle()];
    within[0]?.leave();
    await first;
    expect(storage.enabled, 'the second is within').to.equal(true);
    within[1]?.leave();
    await second;
    expect(storage.enabled).to.equal(false);
    const third = handle();
    expect(storage.enabled).to.equal(true);
    within[2]?.fail(new Error('broken'));
    expect(await third.catch((error: unknown) => error)).to.have.property('message', 'broken');
    expect(storage.enabled).to.equal(false);
  });
});

async function storageOfProvider(): Promise<Storage> {
  const file = new URL('helpers/als.js', import.meta.resolve('oidc-provider'));
  const { default: storage } = (await import(file.href)) as { default: Storage };
  return storage;
}

async function tokenStatus(baseUrl: string, appId: string, secret: string): Promise<number> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${appId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await response.text();
  return response.status;
}
