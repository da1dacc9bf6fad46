import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Caller } from '../../src/access/Caller.js';
import type { RequestContext } from '../../src/access/RequestContext.js';
import { contextOf, newKeyTurns, refuseUsedKey, runCommand } from '../../src/commands/runCommand.js';
import { Database } from '../../src/database/Database.js';
import type { Row } from '../../src/database/Row.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { REPLAY_MS } from '../../src/domain/idempotency.js';
import { ServiceError } from '../../src/errors.js';
import type { RequestServices } from '../../src/Services.js';
import type { TestDatabase } from '../support/database.js';
import { createTestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

const APP = 'app_of_commands';
const NOW = new Date('2026-03-01T00:00:00.000Z');
const KEY_BUSY = 'The first request with this Idempotency-Key is still running.';
const OTHER_PAYLOAD = 'This Idempotency-Key was used with another payload.';

/** In milliseconds; a setting of whole seconds is shown as such. */
const SETTINGS = `SELECT extract(epoch FROM current_setting('lock_timeout')::interval)::float8 * 1000 AS wait,
  current_setting('enable_hashjoin') AS joins`;

interface Settings extends Row {
  wait: number;
  joins: string;
}

describe('a command', () => {
  let test: TestDatabase;
  let fixture: IngestFixture;
  let admitted: string[];
  let kept: [appId: string, bytes: number][];
  let full: boolean;
  let runs: number;

  before(async () => {
    test = await createTestDatabase();
    fixture = new IngestFixture(test.serviceUrl, { appId: APP });
  });
  after(async () => {
    await fixture.services.database.close();
    await test.drop();
  });
  beforeEach(() => {
    [admitted, kept, full, runs] = [[], [], false, 0];
    fixture.now = NOW;
  });

  function requestOf(
    key: string,
    input: unknown = {},
    caller?: Caller,
    own?: Partial<RequestServices>,
  ): RequestContext {
    const request = fixture.requestOf('createThing', input, key);
    const replayStorage = {
      admit: (appId: string): Promise<void> => {
        admitted.push(appId);
        return full ? Promise.reject(new ServiceError('rate_limited', 'It is full.')) : Promise.resolve();
      },
      keep: (appId: string, bytes: number) => void kept.push([appId, bytes]),
    } as RequestServices['replayStorage'];
    return {
      ...request,
      services: { ...request.services, replayStorage, ...own },
      caller: caller ?? request.caller,
      outcome: { replayed: false },
    };
  }

  const count = (): Promise<{ run: number; text: string }> => Promise.resolve({ run: ++runs, text: 'Übung' });

  async function refusalOf(work: Promise<unknown>): Promise<ServiceError> {
    const failed = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).to.be.instanceOf(ServiceError);
    return failed as ServiceError;
  }

  const storedOf = (key: string, appId = APP): Promise<Record<string, unknown>[]> =>
    fixture.services.database.transaction(appId, (tx) =>
      tx.query('SELECT sealed, result, customer_id, created_at FROM idempotency_keys WHERE key = $1', [key]),
    );

  /** Makes a key as old as that, by the clock of the database. */
  const age = (key: string, ms: number): Promise<unknown> =>
    fixture.services.database.transaction(APP, (tx) =>
      tx.execute(
        'UPDATE idempotency_keys SET created_at = now() - make_interval(secs => $2) WHERE key = $1',
        [key, ms / 1000],
      ),
    );

  it('runs once per key, and replays its answer', async () => {
    const key = randomUUID();
    const [first, second] = [requestOf(key), requestOf(key)];
    expect(await runCommand(first, count)).to.deep.equal({ run: 1, text: 'Übung' });
    expect(first.outcome.replayed).to.equal(false);
    expect(await runCommand(second, count)).to.deep.equal({ run: 1, text: 'Übung' });
    expect(second.outcome.replayed).to.equal(true);
    expect(await runCommand({ ...requestOf(randomUUID()), outcome: second.outcome }, count)).to.include({
      run: 2,
    });
    expect(second.outcome.replayed, 'one of its mutations was').to.equal(true);
    expect(admitted).to.deep.equal([APP, APP, APP]);
    const bytes = JSON.stringify({ run: 1, text: 'Übung' }).length + 1;
    expect(kept, 'what is replayed is stored already').to.deep.equal([
      [APP, bytes],
      [APP, bytes],
    ]);
  });

  it('is refused with another payload under its key, and with its key while the first one runs', async () => {
    const key = randomUUID();
    await runCommand(requestOf(key), count);
    const conflict = await refusalOf(runCommand(requestOf(key, { other: 1 }), count));
    expect([conflict.code, conflict.message, runs]).to.deep.equal(['idempotency_conflict', OTHER_PAYLOAD, 1]);

    const busy = randomUUID();
    const hasty = new Database({ url: test.serviceUrl, poolSize: 1, statementTimeoutMs: 100 });
    const otherProcess = { database: hasty, keyTurns: newKeyTurns() };
    let refused: ServiceError | undefined;
    await runCommand(requestOf(busy), async () => {
      refused = await refusalOf(runCommand(requestOf(busy, {}, undefined, otherProcess), count));
      return {};
    });
    await hasty.close();
    expect([refused?.code, refused?.message, refused?.facts.retryAfterSeconds, runs]).to.deep.equal([
      'idempotency_in_progress',
      KEY_BUSY,
      1,
      1,
    ]);
  });

  it('waits five seconds for a lock at most, and finds its rows by their keys', async () => {
    const settings = await runCommand(requestOf(randomUUID()), (tx) => tx.one<Settings>(SETTINGS));
    expect(settings?.joins).to.equal('off');
    // Some time may pass until it begins.
    expect(settings?.wait).to.be.within(4000, 5000);
  });

  it('waits five seconds in all for the first one with its key, here and in another process', async () => {
    const key = randomUUID();
    let refused: Promise<ServiceError> | undefined;
    let second: Promise<Settings | undefined> | undefined;
    let laterMs = 0;
    const first = runCommand(requestOf(key), async () => {
      const began = performance.now();
      refused = refusalOf(runCommand(requestOf(key), count));
      await sleep(2000);
      laterMs = performance.now() - began;
      second = runCommand(requestOf(key), (tx) => tx.one<Settings>(SETTINGS));
      await refused;
      throw new Error('It broke.');
    });
    expect(await first.catch((error: Error) => error.message)).to.equal('It broke.');
    expect([(await refused)?.code, (await refused)?.message, runs]).to.deep.equal([
      'idempotency_in_progress',
      KEY_BUSY,
      0,
    ]);
    expect((await second)?.wait, 'what is left of its five seconds').to.be.within(1, laterMs + 1);
  });

  it('waits for the first one with its key, and runs where that failed', async () => {
    const key = randomUUID();
    let second: Promise<unknown> | undefined;
    const first = runCommand(requestOf(key), () => {
      second = runCommand(requestOf(key), count);
      return Promise.reject(new Error('It broke.'));
    });
    expect(await first.catch((error: Error) => error.message)).to.equal('It broke.');
    expect(await second).to.include({ run: 1 });
    expect(kept).to.have.length(1);
  });

  it('rethrows other errors of PostgreSQL', async () => {
    const failed = await runCommand(requestOf('a\0b'), count).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error).and.not.instanceOf(ServiceError);
  });

  it('runs again after 24 hours, without the stored answer', async () => {
    const key = randomUUID();
    const secret = { secret: true, customerOf: () => 'cus_1' };
    await runCommand(requestOf(key), count, secret);
    await age(key, REPLAY_MS - 600_000);
    expect(await runCommand(requestOf(key), count), 'in its last minutes').to.include({ run: 1 });
    await age(key, REPLAY_MS + 1);
    expect(await runCommand(requestOf(key), count)).to.include({ run: 2 });
    const [stored] = await storedOf(key);
    expect(stored).to.include({ sealed: false, result: '{"run":2,"text":"Übung"}', customer_id: null });
    expect(Date.parse(String(stored?.['created_at']))).to.be.above(Date.now() - REPLAY_MS);
  });

  it('stores a secret sealed, and the customer whose data it answers', async () => {
    const key = randomUUID();
    const options = { secret: true, customerOf: ({ run }: { run: number }) => `cus_${run}` };
    await runCommand(requestOf(key), count, options);
    const [stored] = await storedOf(key);
    expect(stored).to.include({ sealed: true, customer_id: 'cus_1' });
    expect(String(stored?.['result'])).to.not.include('"run"');
    expect(fixture.services.secrets.open(String(stored?.['result']))).to.equal('{"run":1,"text":"Übung"}');
    expect(await runCommand(requestOf(key), count, options)).to.include({ run: 1 });
  });

  it('is refused where the storage of its app is full, unless it is urgent', async () => {
    full = true;
    expect((await refusalOf(runCommand(requestOf(randomUUID()), count))).code).to.equal('rate_limited');
    expect(runs).to.equal(0);
    const { database } = fixture.services;
    let urgent = 0;
    const watched = {
      transaction: () => Promise.reject(new Error('An urgent command used the connections of all.')),
      urgent: {
        transaction: (...args: Parameters<Database['transaction']>) => {
          urgent += 1;
          return database.urgent.transaction(...args);
        },
      },
    } as unknown as Database;
    const request = requestOf(randomUUID(), {}, undefined, { database: watched });
    expect(await runCommand(request, count, { urgent: true })).to.include({ run: 1 });
    expect([urgent, admitted.length]).to.deep.equal([1, 1]);
  });

  it('keeps the keys of administrators apart, and runs for nobody else', async () => {
    const key = randomUUID();
    await runCommand(requestOf(key), count);
    const seen = await runCommand(
      requestOf(key, {}, { kind: 'admin', key: 'k' }),
      (_tx: Transaction, context) => Promise.resolve({ appId: context.appId }),
    );
    expect(seen).to.deep.equal({ appId: 'admin' });
    const nobody: Caller = { kind: 'anonymous', reason: 'Nobody asked.' };
    const refused = await refusalOf(runCommand(requestOf(key, {}, nobody), count));
    expect([refused.code, refused.message]).to.deep.equal(['unauthenticated', 'Nobody asked.']);
  });

  it('receives its caller, time and rejected items', async () => {
    const rejected = new Map([[1, { details: [], omitted: 0, raw: 'x' }]]);
    const request = requestOf(randomUUID());
    if (request.command === undefined) throw new Error('The request has no command.');
    const context = contextOf({ ...request, command: { ...request.command, rejected } });
    expect(context).to.deep.include({ appId: APP, now: NOW, rejected });
    expect(context.clock()).to.equal(NOW);
    const { command: _none, ...plain } = request;
    expect(contextOf(plain).rejected.size).to.equal(0);
    const unguarded = await runCommand(plain, count).catch((error: Error) => error.message);
    expect(unguarded).to.equal('A mutation ran outside its guard.');
  });

  describe('refused before it runs', () => {
    it('reports that its key was used, to its own app while it is replayed', async () => {
      const [key, unused] = [randomUUID(), randomUUID()];
      await runCommand(requestOf(key), count);
      await refuseUsedKey(requestOf(unused), unused);
      await refuseUsedKey(requestOf(key, {}, { kind: 'admin', key: 'k' }), key);
      const refused = await refusalOf(refuseUsedKey(requestOf(key), key));
      expect([refused.code, refused.message]).to.deep.equal(['idempotency_conflict', OTHER_PAYLOAD]);
      await age(key, REPLAY_MS + 1);
      await refuseUsedKey(requestOf(key), key);
    });
  });
});
