import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { buildSchema, parse } from 'graphql';
import type { Caller } from '../../src/access/Caller.js';
import type { GateFlush, GateHold } from '../../src/graphql/live/GateHold.js';
import { LiveStream } from '../../src/graphql/live/LiveStream.js';
import { LiveSubscription } from '../../src/graphql/live/LiveSubscription.js';
import { TestService } from '../support/TestService.js';

describe('A live subscription that ends', () => {
  let service: TestService;

  before(async () => (service = await TestService.start()));
  after(() => service.stop());

  interface Seen {
    stream: LiveStream;
    subscription: LiveSubscription;
    /** How often its caller was identified, and messages that were sent with a bound of time. */
    identified: number;
    bounded: number;
  }

  function subscriptionOf(identify: () => Promise<Caller>): Seen {
    const stream = new LiveStream(() => seen.subscription.stop());
    const flush: GateFlush = (push) => {
      seen.bounded += 1;
      return push();
    };
    const hold: Pick<GateHold, 'around'> = { around: (_topic, _changed, work) => work(flush) };
    const subscription = new LiveSubscription({
      services: service.services,
      operation: {
        schema: buildSchema('type Query { any: Int }'),
        document: parse('subscription { profileChanged(customerId: "cus_1") { customerId } }'),
        operationName: undefined,
        variables: {},
        responseName: 'profileChanged',
        access: { admin: false, scopes: [['profile:read']] },
      },
      topic: { kind: 'profile', appId: 'app_1', id: 'cus_1' },
      stream,
      hold: hold as GateHold,
      identify: () => {
        seen.identified += 1;
        return identify();
      },
      requestId: 'req_1',
      lastEventId: undefined,
      cut: () => undefined,
    });
    const seen: Seen = { stream, subscription, identified: 0, bounded: 0 };
    return seen;
  }

  it('reads nothing more while its subscriber has not read why it ended', async () => {
    const seen = subscriptionOf(() => Promise.reject(new TypeError('broken')));
    await seen.subscription.start();
    await sleep(50);
    seen.subscription.wake('profile');
    await sleep(50);
    expect(seen.identified).to.equal(1);
    const told = await seen.stream.next();
    expect(JSON.stringify(told.value)).to.include('INTERNAL_ERROR');
    expect((await seen.stream.next()).done).to.equal(true);
    expect(seen.stream.isOver).to.equal(true);
  });

  it('tells of a refused caller within the time that the hold allows', async () => {
    const seen = subscriptionOf(() => Promise.resolve({ kind: 'anonymous', reason: 'The token ended.' }));
    await seen.subscription.start();
    const told = await seen.stream.next();
    expect(JSON.stringify(told.value)).to.include('UNAUTHENTICATED');
    expect(seen.bounded, 'under the lock of the customer').to.equal(1);
    expect((await seen.stream.next()).done).to.equal(true);
  });
});
