import type { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import { TestService } from '../support/TestService.js';

/** Node tells it on the object, though not in its types. */
type Storage = AsyncLocalStorage<unknown> & { enabled: boolean };

describe('the provider’s async context', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('is left when no request is in the provider, so that promises cost no more than before', async () => {
    const file = new URL('helpers/als.js', import.meta.resolve('oidc-provider'));
    const { default: storage } = (await import(file.href)) as { default: Storage };
    const used = new Set<boolean>();
    const run = storage.run.bind(storage) as (...values: unknown[]) => unknown;
    storage.run = ((...values: unknown[]) => {
      const result = run(...values);
      used.add(storage.enabled);
      return result;
    }) as Storage['run'];
    const app = await service.makeApp('customers:read');
    expect([...used]).to.deep.equal([true]);
    expect((await app.rest('GET', '/v1/customers')).status).to.equal(200);
    expect(storage.enabled).to.equal(false);
  });
});
