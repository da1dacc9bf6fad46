import { expect } from 'chai';
import type { Query } from '../../src/database/Database.js';
import type { ReadServices } from '../../src/loaders/ReadScope.js';
import { SharedReads } from '../../src/loaders/SharedReads.js';

describe('SharedReads', () => {
  it('never shares a read between apps, interfaces or purposes', async () => {
    const sent: [string, string][] = [];
    const read = (appId: string, { name }: Query): Promise<never[]> => {
      sent.push([appId, name]);
      return Promise.resolve([]);
    };
    const database = { readAs: read, readAsViaReplica: read, replica: undefined };
    const services = { database } as unknown as ReadServices;
    const reads = new SharedReads();
    const apps = ['app_1', 'app_2'];
    await Promise.all(
      apps
        .map((appId) => reads.customers.load({ services, appId }, 'cus_1'))
        .concat(apps.map((appId) => reads.customers.load({ services, appId }, 'cus_2'))),
    );
    expect(sent.map(([appId]) => appId)).to.have.members(apps);

    const groups = [
      ...apps.map((appId) => ({ services, appId, door: 'rest' as const, purpose: undefined })),
      { services, appId: 'app_1', door: 'graphql' as const, purpose: undefined },
      { services, appId: 'app_1', door: 'rest' as const, purpose: 'support' as const },
      { services, appId: 'app_1', door: 'rest' as const, purpose: 'analytics' as const },
    ];
    const all = groups.flatMap((group) => [reads.profiles.load(group, 'a'), reads.profiles.load(group, 'b')]);
    expect(reads.profiles.size).to.equal(groups.length);
    await Promise.all(all.map((profile) => profile.catch(() => undefined)));
  });
});
