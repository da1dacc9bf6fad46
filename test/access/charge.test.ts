import { expect } from 'chai';
import type { Caller } from '../../src/access/Caller.js';
import { Charge, pointsFor } from '../../src/access/Charge.js';
import { createContext } from '../../src/access/createContext.js';
import type { RequestServices } from '../../src/Services.js';
import { RateLimiter, rateLimitHeaders } from '../../src/access/RateLimiter.js';
import { Turns } from '../../src/concurrency/Turns.js';
import { resourcesIn } from '../../src/access/guardSchema.js';
import { StoredJson } from '../../src/documents/FreeForm.js';
import { StoredText } from '../../src/documents/StoredText.js';
import { ServiceError } from '../../src/errors.js';

const LIMITS = { read: 10, write: 4, ingest: 100, token: 1 };
const app: Caller = { kind: 'app', appId: 'app_1', clientId: 'app_1', scopes: new Set() };

/** Runs an operation that may read so many resources, and reads so many. */
const reading = (charge: Charge, resources: number, read: number): Promise<void> =>
  charge.run({ turns: new Turns({ perApp: 9 }), operationClass: 'read', resources }, () => {
    charge.resources = read;
  });

const limiterOf = (): RateLimiter => new RateLimiter({ rateLimits: LIMITS });

/** What is left of an app's limit, by asking for nothing. */
const left = async (
  limiter: RateLimiter,
  kind: 'read' | 'write' | 'ingest' | 'revoke',
): Promise<number | undefined> => (await limiter.correct('app_1', kind, 0))?.remaining;

describe('the charge of a request', () => {
  it('is one point per 25 resources and at least one', () => {
    expect([0, 1, 25, 26, 50, 51, 2500].map(pointsFor)).to.deep.equal([1, 1, 1, 2, 2, 3, 100]);
  });

  it('stays at its first point when it reads little', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('read');
    await charge.spend('read', 1);
    await reading(charge, 25, 25);
    expect([charge.points, charge.rate?.remaining, await left(limiter, 'read')]).to.deep.equal([1, 9, 9]);
  });

  it('is an estimate before the operation runs and the exact amount afterwards', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('read');
    const turns = new Turns({ perApp: 9 });
    await charge.run({ turns, operationClass: 'read', resources: 100 }, async () => {
      expect([charge.points, await left(limiter, 'read')]).to.deep.equal([4, 6]);
      charge.resources = 60;
    });
    expect([charge.points, await left(limiter, 'read'), charge.rate?.remaining]).to.deep.equal([3, 7, 7]);
    charge.resources = 200;
    await charge.settle();
    expect([charge.points, await left(limiter, 'read')]).to.deep.equal([8, 2]);
  });

  it('counts 500 values of a body as a point at least, before the operation runs', async () => {
    const costs: number[] = [];
    for (const [values, items] of [
      [500, 1],
      [501, 1],
      [1500, 1],
      [1500, 2],
      [1500, 4],
    ] as const) {
      const limiter = limiterOf();
      const charge = new Charge(limiter, app);
      await charge.begin('write');
      await charge.takeBody('write', values);
      expect(charge.points).to.equal(Math.ceil(values / 500));
      await charge.spend('write', items);
      expect(await left(limiter, 'write')).to.equal(4 - charge.points);
      costs.push(charge.points);
    }
    expect(costs).to.deep.equal([1, 2, 3, 3, 4]);
  });

  it('counts each 4,096 characters of the answer as a resource, if they are more than it read', async () => {
    const costs: number[] = [];
    for (const [resources, characters] of [
      [1, 25 * 4096],
      [1, 25 * 4096 + 1],
      [60, 60 * 4096],
      [60, 76 * 4096],
    ] as const) {
      const limiter = limiterOf();
      const charge = new Charge(limiter, app);
      await charge.begin('read');
      await reading(charge, 50, resources);
      await charge.answer(characters);
      expect(await left(limiter, 'read')).to.equal(10 - charge.points);
      costs.push(charge.points);
    }
    expect(costs).to.deep.equal([1, 2, 3, 4]);
  });

  it('costs nothing where it is refused, so that smaller requests pass', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('read');
    const refused = await reading(charge, 2500, 0).catch((error: ServiceError) => error);
    expect(refused).to.include({ code: 'rate_limited' });
    expect((refused as ServiceError).facts.rateLimit?.['RateLimit']).to.match(/;r=9;/);
    expect([charge.points, await left(limiter, 'read')]).to.deep.equal([1, 9]);
    await reading(new Charge(limiter, app), 100, 100);
    expect(await left(limiter, 'read')).to.equal(6);
  });

  it('moves its first point to the class that the operation turns out to be of', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('read');
    await charge.spend('write', 1);
    expect([await left(limiter, 'read'), await left(limiter, 'write'), charge.points]).to.deep.equal([
      10, 3, 1,
    ]);
    await charge.spend('ingest', 7);
    expect([await left(limiter, 'ingest'), charge.points]).to.deep.equal([93, 8]);
  });

  it('counts a batch by its items, the first of which is the request', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('ingest');
    await charge.spend('ingest', 5);
    expect([await left(limiter, 'ingest'), charge.points]).to.deep.equal([95, 5]);
  });

  it('reports the limit of the operation, not of what it reads beside', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('write');
    expect(charge.rate).to.include({ operationClass: 'write', remaining: 3 });
    await reading(charge, 25, 60);
    expect(charge.rate).to.include({ operationClass: 'write', remaining: 3 });
    expect([await left(limiter, 'read'), charge.points]).to.deep.equal([8, 3]);
  });

  it('counts each of several operations, the first with the request', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('write');
    for (let times = 0; times < 3; times += 1) await charge.spend('write', 1);
    expect([await left(limiter, 'write'), charge.points]).to.deep.equal([1, 3]);
    const later = new Charge(limiter, app);
    await later.spend('write', 1);
    expect([await left(limiter, 'write'), later.points], 'without a beginning').to.deep.equal([0, 1]);
  });

  it('does not refuse a request for the point that it has already paid', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, app);
    await charge.begin('write');
    await limiter.correct('app_1', 'write', 20);
    await charge.spend('write', 1);
    expect(charge.points).to.equal(1);
    const refused = await charge.spend('write', 1).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ServiceError).with.property('code', 'rate_limited');
  });

  it('is counted where limits are off', async () => {
    const charge = new Charge(new RateLimiter({ rateLimits: 'off' }), app);
    await charge.begin('read');
    charge.resources = 60;
    await charge.settle();
    expect([charge.points, charge.rate]).to.deep.equal([3, undefined]);
  });

  it('counts an operator without limiting anyone', async () => {
    const limiter = limiterOf();
    const charge = new Charge(limiter, { kind: 'admin', key: 'k' });
    await charge.begin('read');
    await reading(charge, 10_000, 10);
    expect([charge.points, charge.rate]).to.deep.equal([1, undefined]);
  });

  it('is told to be too large for its limit, which waiting would not change', async () => {
    const limiter = limiterOf();
    const refused = await limiter.take('app_1', 'write', 5).catch((error: unknown) => error);
    expect((refused as ServiceError).message).to.equal(
      'This request is worth more than the 4 points of a minute; send smaller ones.',
    );
    expect((await limiter.take('app_1', 'write', 1))?.remaining).to.equal(3);
  });

  it('is refused beyond the limit of its class, of one app, and of no other class or app', async () => {
    const limiter = limiterOf();
    for (let times = 0; times < 4; times += 1) await limiter.take('app_1', 'write', 1);
    const refused = await limiter.take('app_1', 'write', 1).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ServiceError).with.property('code', 'rate_limited');
    expect((refused as ServiceError).message).to.match(/^Too many write operations; try again in \d+ s\.$/);
    const { retryAfterSeconds, rateLimit } = (refused as ServiceError).facts;
    expect(retryAfterSeconds).to.be.within(2, 60);
    expect(rateLimit?.['RateLimit']).to.equal(`"write";r=0;t=${retryAfterSeconds}`);
    expect((await limiter.take('app_1', 'revoke', 1))?.remaining).to.equal(3);
    expect((await limiter.take('app_1', 'read', 1))?.remaining).to.equal(9);
    expect((await limiter.take('app_2', 'write', 1))?.remaining).to.equal(3);
    const state = await limiter.correct('app_2', 'write', 9);
    expect(state).to.include({ operationClass: 'write', limit: 4, remaining: 0 });
    expect(state?.resetSeconds).to.be.within(2, 60);
  });

  it('is unlimited where limits are off', async () => {
    const off = new RateLimiter({ rateLimits: 'off' });
    expect([await off.take('app_1', 'read', 1e6), await off.correct('app_1', 'read', 5)]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('begins anew with each request, unless a door has charged it already', () => {
    const services = { rateLimiter: limiterOf() } as unknown as RequestServices;
    const context = createContext(services, app, 'req_1');
    expect(context).to.include({ services, caller: app, requestId: 'req_1' });
    expect([context.charge.points, context.outcome]).to.deep.equal([0, { replayed: false }]);
    const charge = new Charge(limiterOf(), app);
    expect(createContext(services, app, 'req_1', undefined, charge).charge).to.equal(charge);
  });

  it('is reported as structured fields', () => {
    const headers = rateLimitHeaders({
      operationClass: 'read',
      limit: 6000,
      remaining: 12,
      resetSeconds: 34,
    });
    expect(headers).to.deep.equal({
      'RateLimit-Policy': '"read";q=6000;w=60',
      RateLimit: '"read";r=12;t=34',
    });
  });

  it('counts each value, item, profile and fact as one resource and an error as none', () => {
    expect(resourcesIn({ id: 1 })).to.equal(1);
    expect(resourcesIn([{ id: 1 }, [{ id: 2 }, null], new Error('no')])).to.equal(2);
    expect(resourcesIn({ nodes: [{ id: 1 }, { id: 2 }], facts: [1] })).to.equal(2);
    expect(resourcesIn({ facts: [{ a: 1 }, { b: 2 }] })).to.equal(3);
    const large = 'x'.repeat(40_960);
    expect(resourcesIn({ facts: new StoredText(large, 3) })).to.equal(11);
    expect(resourcesIn([{ metadata: new StoredJson(large) }, { metadata: new StoredJson('{}') }])).to.equal(
      11,
    );
    expect(resourcesIn({ nodes: new StoredText('{},{},{}', 3) })).to.equal(3);
    for (const nothing of [null, undefined, 7, 'text', new Error('no'), []])
      expect(resourcesIn(nothing)).to.equal(0);
  });

  describe('around an operation', () => {
    class CountedTurns extends Turns {
      readonly taken: { appId: string; weight: number }[] = [];

      override run<T>(appId: string, work: () => T | Promise<T>, weight: number): Promise<T> {
        this.taken.push({ appId, weight });
        return super.run(appId, work, weight);
      }
    }

    it('takes a turn whose weight grows with the resources it may read', async () => {
      for (const [resources, weight] of [
        [1, 1],
        [25, 1],
        [26, 5],
        [100, 13],
      ] as const) {
        const turns = new CountedTurns({ perApp: 9 });
        const charge = new Charge(limiterOf(), app);
        expect(await charge.run({ turns, operationClass: 'read', resources }, () => 'done')).to.equal('done');
        expect(turns.taken).to.deep.equal([{ appId: 'app_1', weight }]);
      }
    });

    it('takes no turn for a revocation or an operator', async () => {
      const turns = new CountedTurns({ perApp: 9 });
      const done = (): string => 'done';
      await new Charge(limiterOf(), app).run({ turns, operationClass: 'revoke', resources: 1 }, done);
      const acting = new Charge(limiterOf(), { kind: 'admin', key: 'k' });
      await acting.run({ turns, operationClass: 'write', resources: 1 }, done);
      expect(turns.taken).to.deep.equal([]);
    });

    it('settles after a failure, and does not run an operation that exceeds the limit', async () => {
      const turns = new Turns({ perApp: 9 });
      const charge = new Charge(limiterOf(), app);
      const failing = charge.run({ turns, operationClass: 'read', resources: 100 }, () => {
        charge.resources = 26;
        throw new Error('broken');
      });
      expect(await failing.catch((error: Error) => error.message)).to.equal('broken');
      expect(charge.points).to.equal(1);
      let ran = false;
      const refused = await charge
        .run({ turns, operationClass: 'read', resources: 10_000 }, () => (ran = true))
        .catch((error: unknown) => error);
      expect([(refused as ServiceError).code, ran]).to.deep.equal(['rate_limited', false]);
    });
  });
});
