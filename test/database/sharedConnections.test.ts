import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { pino } from 'pino';
import { Turns } from '../../src/concurrency/Turns.js';
import { configFrom } from '../../src/config.js';
import { createDatabase } from '../../src/start/createDatabase.js';
import { Database } from '../../src/database/Database.js';
import type { Query } from '../../src/database/Database.js';
import { NotRun } from '../../src/database/MessageGroup.js';
import { forReadsOfApps } from '../../src/database/openings.js';
import { SharedConnections } from '../../src/database/SharedConnections.js';
import type { Waiting } from '../../src/database/SharedConnections.js';
import { collectGarbage } from '../support/collectGarbage.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { recordStatements } from '../support/recordStatements.js';
import { Relay } from '../support/Relay.js';

const APPS = Array.from({ length: 8 }, (_, index) => `app_shared_${index}`);
const MINE = { name: 'shared_mine', text: 'SELECT app_id FROM idempotency_keys' };
const SETTING = { name: 'shared_setting', text: `SELECT current_setting('consent.app_id', true) AS app` };
const DIVIDE = { name: 'shared_divide', text: 'SELECT 6 / $1::integer AS result' };
const UNREADABLE = { name: 'shared_unreadable', text: 'SELECT 6 AS number', textOnly: true };
const BROKEN = { name: 'shared_broken', text: 'SELECT nothing FROM nowhere' };
const SLEEP = { name: 'shared_sleep', text: 'SELECT pg_sleep($1)' };
const PLAN = { name: 'shared_plan', text: `SELECT current_setting('plan_cache_mode') AS mode` };
const PLANNED_ONCE = { name: 'shared_plan_once', text: PLAN.text, onePlan: true };
/** Reads that one statement reads for several apps: the second value is a divisor, or how long it sleeps. */
const ofEach = (name: string, text: string, rest = {}): Query => ({
  name,
  text,
  forApps: forReadsOfApps(
    `SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS q (app_id, value2, place)`,
    text,
  ),
  ...rest,
});
const DIVIDE_MINE = ofEach(
  'shared_divide_mine',
  `SELECT k.app_id, (6 / $2::integer)::text AS result FROM idempotency_keys k WHERE k.app_id = $1`,
  { textOnly: true },
);
const SLEEP_MINE = ofEach(
  'shared_sleep_mine',
  `SELECT k.app_id, pg_sleep($2::float) FROM idempotency_keys k WHERE k.app_id = $1`,
);
const BACKEND = { name: 'shared_backend', text: 'SELECT pg_backend_pid() AS pid' };
const KEY = `INSERT INTO idempotency_keys (app_id, key, payload_hash, created_at)
  VALUES ($1, 'mine', '', now())`;

type Kind =
  'mine' | 'together' | 'fails together' | 'fails' | 'divides' | 'unknown' | 'unreadable' | 'setting';

describe('Reads on shared connections', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = open(1);
    for (const app of APPS) await database.transaction(app, (tx) => tx.execute(KEY, [app]));
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  const open = (connections: number, url = test.serviceUrl): Database => {
    const apart = new Turns({ perApp: 3, room: Infinity, waitMs: 60_000 });
    return new Database({ url, poolSize: 10, sharing: { connections, reads: 8, apart } });
  };

  /** Cancels what sleeps, in its flight and on a connection of its own, until all connections are free. */
  const cancelSleepers = async (client: pg.Client, { pool } = database): Promise<void> => {
    do {
      await client.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE query LIKE '%pg_sleep(%' AND state = 'active' AND pid <> pg_backend_pid()`,
      );
    } while (pool.idleCount < pool.totalCount);
  };

  /** The answers can arrive ahead of what says that the connection is free. */
  const untilIdle = async ({ pool }: Database): Promise<void> => {
    while (pool.idleCount < pool.totalCount) await setTimeout(5);
  };

  const codeOf = (error: unknown): unknown => (error as { code?: string }).code;

  it('return rows of their own app only while reads of other apps run and fail', async () => {
    const read = fc.record({
      app: fc.constantFrom(...APPS),
      kind: fc.constantFrom<Kind>(
        'mine',
        'together',
        'fails together',
        'fails',
        'divides',
        'unknown',
        'unreadable',
        'setting',
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(read, { minLength: 2, maxLength: 24 }), async (reads) => {
        const answers = await Promise.all(
          reads.map(({ app, kind }) => {
            if (kind === 'together') return database.readAs(app, DIVIDE_MINE, [app, '2']);
            if (kind === 'fails together') return database.readAs(app, DIVIDE_MINE, [app, '0']).catch(codeOf);
            if (kind === 'fails') return database.readAs(app, DIVIDE, [0]).catch(codeOf);
            if (kind === 'divides') return database.readAs(app, DIVIDE, [2]);
            if (kind === 'unreadable') return database.readAs(app, UNREADABLE, []).catch(String);
            if (kind === 'unknown') return database.readAs(app, BROKEN, []).catch(codeOf);
            return database.readAs(app, kind === 'mine' ? MINE : SETTING, []);
          }),
        );
        for (const [index, { app, kind }] of reads.entries()) {
          const wanted = {
            together: [{ app_id: app, result: '3' }],
            'fails together': '22012',
            fails: '22012',
            divides: [{ result: 3 }],
            unknown: '42P01',
            unreadable: 'TypeError: A column sent in the binary format is not of type text.',
            mine: [{ app_id: app }],
            setting: [{ app }],
          };
          expect(answers[index]).to.deep.equal(wanted[kind]);
        }
        expect(await database.read(MINE)).to.deep.equal([]);
        expect(await database.transaction(null, (tx) => tx.query(SETTING.text))).to.deep.equal([{ app: '' }]);
      }),
      { numRuns: 40 },
    );
  });

  it('of several apps share one statement, and each is read alone when one fails', async () => {
    const recording = recordStatements();
    const divisors = APPS.map((_, index) => (index === 3 ? '0' : '2'));
    const answers = await Promise.all(
      APPS.map((app, index) => database.readAs(app, DIVIDE_MINE, [app, divisors[index]]).catch(codeOf)),
    );
    const sent = recording.stop();
    expect(answers).to.deep.equal(
      APPS.map((app, index) => (index === 3 ? '22012' : [{ app_id: app, result: '3' }])),
    );
    // The first finds nothing under way and leaves at once.
    expect(sent.find(({ text }) => text === DIVIDE_MINE.forApps)?.values).to.deep.equal([
      APPS.slice(1),
      divisors.slice(1),
    ]);
  });

  it('of several apps do not wait for one of them that hangs in their statement', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    try {
      const ahead = database.readAs(APPS[0] ?? '', MINE, []);
      const [slow = '', ...others] = APPS;
      const early = others.slice(0, 3).map((app) => database.readAs(app, SLEEP_MINE, [app, '0']));
      const hanging = database.readAs(slow, SLEEP_MINE, [slow, '600']).catch(codeOf);
      const later = others.slice(3).map((app) => database.readAs(app, SLEEP_MINE, [app, '0']));
      const answers = await Promise.all([...early, ...later]);
      expect(answers.map(([row]) => row?.['app_id'])).to.deep.equal(others);
      expect(await ahead).to.have.length(1);
      await cancelSleepers(client);
      expect(await hanging).to.equal('57014');
    } finally {
      await client.end();
    }
  });

  it('use their own plan mode whatever mode earlier reads used', async () => {
    const modes = await Promise.all(
      APPS.map((app, index) => database.readAs(app, index % 2 === 0 ? PLANNED_ONCE : PLAN, [])),
    );
    expect(modes.map(([row]) => row?.['mode'])).to.deep.equal(
      APPS.map((_, index) => (index % 2 === 0 ? 'force_generic_plan' : 'auto')),
    );
  });

  it('do not wait for a statement that hangs in the middle of their group', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    try {
      // Two flights, the first of which hangs in its middle: its first answers are not flushed.
      const [early, later] = [APPS.slice(0, 3), APPS.slice(3)];
      const ahead = early.map((app) => database.readAs(app, MINE, []));
      const hanging = database.readAs('app_slow', SLEEP, [600]).catch(codeOf);
      const behind = [...later, ...APPS].map((app) => database.readAs(app, MINE, []));
      const answers = await Promise.all([...ahead, ...behind]);
      expect(answers.map(([row]) => row?.['app_id'])).to.deep.equal([...APPS, ...APPS]);
      await cancelSleepers(client);
      expect(await hanging).to.equal('57014');
    } finally {
      await client.end();
    }
  });

  it('do not wait for a statement that hangs at the start of their group', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    try {
      const hanging = database.readAs('app_slow', SLEEP, [600]).catch(codeOf);
      const behind = await Promise.all(APPS.slice(1).map((app) => database.readAs(app, MINE, [])));
      expect(behind.map(([row]) => row?.['app_id'])).to.deep.equal(APPS.slice(1));
      const later = await Promise.all(APPS.map((app) => database.readAs(app, MINE, [])));
      expect(later.map(([row]) => row?.['app_id'])).to.deep.equal(APPS);
      await cancelSleepers(client);
      expect(await hanging).to.equal('57014');
    } finally {
      await client.end();
    }
  });

  it('find connections while more statements of one app hang than there are connections', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    const fresh = open(2);
    const hanging: Promise<unknown>[] = [];
    try {
      for (let round = 0; round < 4; round += 1) {
        for (let read = 0; read < 5; read += 1)
          hanging.push(fresh.readAs('app_slow', SLEEP, [600]).catch(codeOf));
        const answers = await Promise.all(APPS.map((app) => fresh.readAs(app, MINE, [])));
        expect(answers.map(([row]) => row?.['app_id'])).to.deep.equal(APPS);
      }
    } finally {
      await cancelSleepers(client, fresh);
      await client.end();
      await fresh.close();
    }
    expect(new Set(await Promise.all(hanging))).to.deep.equal(new Set(['57014']));
  });

  for (const alone of [false, true])
    it(`find a connection while many ${alone ? 'large' : 'shared'} reads of five apps hang`, async () => {
      const client = new pg.Client({ connectionString: test.serviceUrl });
      await client.connect();
      const log = pino({ enabled: false });
      const config = configFrom({ NODE_ENV: 'test' });
      const fresh = createDatabase(test.serviceUrl, config, log);
      const hanging: Promise<unknown>[] = [];
      try {
        for (let read = 0; read < 13; read += 1)
          for (const app of ['app_slow_0', 'app_slow_1', 'app_slow_2', 'app_slow_3', 'app_slow_4'])
            hanging.push(fresh.readAs(app, { ...SLEEP, alone }, [600]).catch(codeOf));
        for (let round = 0; round < 2; round += 1) {
          const answers = await Promise.all(APPS.map((app) => fresh.readAs(app, MINE, [])));
          expect(answers.map(([row]) => row?.['app_id'])).to.deep.equal(APPS);
        }
      } finally {
        await cancelSleepers(client, fresh);
        await Promise.all(hanging);
        await client.end();
        await fresh.close();
      }
    });

  it('need no new connection beside a statement that hangs while one is returned', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    const url = new URL(test.serviceUrl);
    const relay = await Relay.start(Number(url.port));
    url.port = String(relay.port);
    const fresh = open(1, url.href);
    try {
      // Three connections: for the flight that hangs, for its read that hangs, and one for all others.
      const opened = await Promise.all([1, 2, 3].map(() => fresh.pool.connect()));
      for (const connection of opened) connection.release();
      relay.stallNew();
      const hanging = fresh.readAs('app_slow', SLEEP, [600]).catch(codeOf);
      const early = APPS.map((app) => fresh.readAs(app, MINE, []));
      const answers = await Promise.all([...early, ...APPS.map((app) => fresh.readAs(app, MINE, []))]);
      expect(answers.map(([row]) => row?.['app_id'])).to.deep.equal([...APPS, ...APPS]);
      relay.resume();
      await cancelSleepers(client, fresh);
      expect(await hanging).to.equal('57014');
    } finally {
      await client.end();
      await fresh.close();
      await relay.stop();
    }
  });

  it('are read again when their connection breaks', async () => {
    const client = new pg.Client({ connectionString: test.serviceUrl });
    await client.connect();
    const fresh = open(1);
    try {
      const [row] = await fresh.readAs('app_slow', BACKEND, []);
      // While a flight that took long to open its connection is under way, reads leave alone.
      await untilIdle(fresh);
      const reads = APPS.map((app) =>
        fresh.readAs(app, { name: 'shared_kill', text: `SELECT $1::text AS app, pg_sleep(0.01)` }, [app]),
      );
      const together = APPS.map((app) => fresh.readAs(app, SLEEP_MINE, [app, '0.01']));
      await client.query('SELECT pg_terminate_backend($1)', [row?.['pid']]);
      const answers = await Promise.all(reads);
      expect(answers.map(([answer]) => answer?.['app'])).to.deep.equal(APPS);
      const others = await Promise.all(together);
      expect(others.map(([answer]) => answer?.['app_id'])).to.deep.equal(APPS);
      expect(await Promise.all(APPS.map((app) => fresh.readAs(app, MINE, [])))).to.have.length(APPS.length);
    } finally {
      await client.end();
      await fresh.close();
    }
  });

  it('return their connection to the pool', async () => {
    await Promise.all(APPS.map((app) => database.readAs(app, MINE, [])));
    await untilIdle(database);
  });
});

interface Sent {
  reads: readonly Waiting<number, string>[];
  /** @param end how each read ends; the connection is free after it */
  land: (end: (waiting: Waiting<number, string>) => void) => void;
}

const CONNECTIONS = 2;
const SIZE = 3;

/** Connections whose flights land by hand. Reads that are sent alone are answered at once. */
class Bench {
  readonly sent: Sent[] = [];
  /** What was sent and has not landed. */
  readonly open: Sent[] = [];
  readonly alone: number[] = [];
  maxOpen = 0;
  readonly shared = new SharedConnections<number, string>(
    {
      checkOut: () => Promise.resolve(undefined as unknown as pg.PoolClient),
      checkIn: () => undefined,
      readTogether: (_client, reads) =>
        new Promise((resolve) => {
          const land: Sent['land'] = (end) => {
            this.open.splice(this.open.indexOf(flight), 1);
            reads.forEach(end);
            resolve();
          };
          const flight = { reads: [...reads], land };
          this.sent.push(flight);
          this.open.push(flight);
          this.maxOpen = Math.max(this.maxOpen, this.open.length);
        }),
      readAlone: (read) => {
        this.alone.push(read);
        return Promise.resolve(`alone ${read}`);
      },
    },
    { connections: CONNECTIONS, reads: SIZE },
  );

  get numbers(): number[][] {
    return this.sent.map(({ reads }) => reads.map(({ read }) => read));
  }

  /** Lets flights land, those yet to be sent included, until the reads have ended. */
  async drain<T>(reads: Promise<T>): Promise<T> {
    const open = Symbol('open');
    for (;;) {
      this.open[0]?.land(answer);
      if ((await Promise.race([reads, setImmediate(open)])) !== open) return reads;
    }
  }
}

const answer = ({ read, resolve }: Waiting<number, string>): void => resolve(`${read}`);

describe('SharedConnections', () => {
  const { setTimeout: realSetTimeout } = globalThis;
  let looks: (() => void)[];

  /** Looks are made by hand: on a slow machine they are a few turns apart. */
  beforeEach(() => {
    looks = [];
    globalThis.setTimeout = ((look: () => void, ms: number, ...values: unknown[]) =>
      ms === 12
        ? looks.push(look)
        : (Reflect.apply(realSetTimeout, globalThis, [look, ms, ...values]) as unknown)) as never;
  });
  afterEach(() => {
    globalThis.setTimeout = realSetTimeout;
  });

  const look = async (): Promise<void> => {
    looks.pop()?.();
    await setImmediate();
  };

  it('sends the waiting reads in groups of limited size, as many as may be under way', async () => {
    const bench = new Bench();
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((number) => bench.shared.read(number)));
    await setImmediate();
    expect(bench.numbers).to.deep.equal([[1], [2, 3, 4]]);
    bench.open[1]?.land(answer);
    await setImmediate();
    expect(bench.numbers).to.deep.equal([[1], [2, 3, 4], [5, 6, 7]]);
    expect(await bench.drain(answers)).to.deep.equal(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(bench.numbers.at(-1)).to.deep.equal([8]);
    expect([bench.maxOpen, bench.alone]).to.deep.equal([CONNECTIONS, []]);
  });

  it('adds no read to a flight that was sent, and answers none of another', async () => {
    const bench = new Bench();
    const early = bench.shared.read(1);
    await setImmediate();
    const late = bench.shared.read(1);
    await setImmediate();
    expect(bench.numbers).to.deep.equal([[1], [1]]);
    bench.open[0]?.land(({ resolve }) => resolve('early'));
    bench.open[0]?.land(({ resolve }) => resolve('late'));
    expect(await Promise.all([early, late])).to.deep.equal(['early', 'late']);
    const next = bench.shared.read(1);
    await setImmediate();
    bench.open[0]?.land(({ resolve }) => resolve('next'));
    expect(await next).to.equal('next');
    expect(bench.sent).to.have.length(3);
  });

  it('sends what waits alone at the second look while flights are slow', async () => {
    const bench = new Bench();
    const slow = [bench.shared.read(1), bench.shared.read(2)];
    await setImmediate();
    const waiting = Promise.all([bench.shared.read(3), bench.shared.read(4)]);
    await setImmediate();
    await look();
    expect(bench.alone).to.deep.equal([]);
    await look();
    expect(await waiting).to.deep.equal(['alone 3', 'alone 4']);
    expect(bench.numbers).to.deep.equal([[1], [2]]);
    expect(await bench.drain(Promise.all(slow))).to.deep.equal(['1', '2']);
  });

  it('does not send a read again that failed by itself', async () => {
    const bench = new Bench();
    const outcomes = Promise.allSettled([1, 2, 3].map((number) => bench.shared.read(number)));
    await setImmediate();
    for (const flight of [...bench.open])
      flight.land(({ read, reject }) => reject(read === 2 ? new Error('bad row') : new NotRun()));
    const ends = (await outcomes).map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)));
    expect(ends).to.deep.equal(['alone 1', 'Error: bad row', 'alone 3']);
    expect(bench.alone).to.deep.equal([1, 3]);
  });

  it('keeps no answer when it is idle', async () => {
    const shared = new SharedConnections<number, object>(
      {
        checkOut: () => Promise.resolve(undefined as unknown as pg.PoolClient),
        checkIn: () => undefined,
        readTogether: async (_client, reads) => {
          for (const { read, resolve } of reads) resolve({ read });
        },
        readAlone: (read) => Promise.resolve({ read }),
      },
      { connections: CONNECTIONS, reads: SIZE },
    );
    const read = async (): Promise<WeakRef<object>[]> => {
      const answers = await Promise.all([1, 2, 3].map((number) => shared.read(number)));
      return answers.map((one) => new WeakRef(one));
    };
    const kept = await read();
    await look();
    await collectGarbage();
    expect(kept.map((one) => one.deref())).to.deep.equal([undefined, undefined, undefined]);
    expect(await shared.read(4)).to.deep.equal({ read: 4 });
  });

  it('answers every read once with its own answer or error in any order of events', async () => {
    const step = fc.record({
      turns: fc.nat(6),
      land: fc.nat(2),
      how: fc.constantFrom('answers', 'fails', 'is not run', 'loses its connection'),
      looks: fc.boolean(),
    });
    const lost = (): Error => Object.assign(new Error('gone'), { code: '57P01' });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 50 }), async (steps) => {
        const bench = new Bench();
        const asked = await Promise.all(
          steps.map(async ({ turns, land, how, looks: isLooked }, number) => {
            for (let turn = 0; turn < turns; turn += 1) await setImmediate();
            const before = new Set(bench.sent);
            const outcome = bench.shared.read(number).catch((error: unknown) => (error as Error).message);
            await setImmediate();
            if (isLooked) await look();
            for (const flight of bench.open.slice(0, land))
              flight.land(({ read, resolve, reject }) => {
                if (how === 'answers') resolve(`${read}`);
                else if (how === 'fails') reject(new Error(`lost ${read}`));
                else reject(how === 'is not run' ? new NotRun() : lost());
              });
            return { number, before, outcome };
          }),
        );
        await bench.drain(Promise.all(asked.map(({ outcome }) => outcome)));
        for (const { number, before, outcome } of asked) {
          const carriers = bench.sent.filter(({ reads }) => reads.some(({ read }) => read === number));
          const alone = bench.alone.filter((read) => read === number);
          expect(carriers.length).to.be.at.most(1);
          expect(alone.length).to.be.at.most(1);
          for (const carrier of carriers)
            expect(before.has(carrier), 'sent before it was asked for').to.equal(false);
          const own = [
            ...carriers.flatMap(() => [`${number}`, `lost ${number}`]),
            ...alone.map(() => `alone ${number}`),
          ];
          expect(own).to.include(await outcome);
        }
        expect(bench.maxOpen).to.be.at.most(CONNECTIONS);
        expect(bench.numbers.every(({ length }) => length <= SIZE)).to.equal(true);
      }),
    );
  });
});
