import { expect } from 'chai';
import { pino } from 'pino';
import type { AccountServices } from '../../src/accounts/AccountServices.js';
import { PUBLISHED_AHEAD_MS, rotateSigningKey } from '../../src/oauth/signingKeys.js';
import type { SigningKeys } from '../../src/oauth/signingKeys.js';
import { TurningKeys } from '../../src/oauth/TurningKeys.js';
import { OauthHarness } from './OauthHarness.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('TurningKeys', () => {
  let harness: OauthHarness;
  let now = Date.now();
  let shown: SigningKeys[];
  let warnings: string[];
  let ticks: { run: () => void; milliseconds: number; timer: NodeJS.Timeout }[];
  let ended: unknown[];
  const { setInterval, clearInterval } = globalThis;

  before(async () => {
    harness = await OauthHarness.open();
  });
  after(() => harness.close());

  beforeEach(() => {
    [shown, warnings, ticks, ended] = [[], [], [], []];
    now += 2 * PUBLISHED_AHEAD_MS;
    const begin = (run: () => void, milliseconds: number): NodeJS.Timeout => {
      const timer = setInterval(run, milliseconds);
      ticks.push({ run, milliseconds, timer });
      return timer;
    };
    globalThis.setInterval = Object.assign(begin, setInterval) as typeof globalThis.setInterval;
    globalThis.clearInterval = (timer) => {
      ended.push(timer);
      clearInterval(timer);
    };
  });
  afterEach(() => {
    Object.assign(globalThis, { setInterval, clearInterval });
    for (const { timer } of ticks) clearInterval(timer);
  });

  async function load(signingKeyDays = 0, changes: Partial<AccountServices> = {}): Promise<TurningKeys> {
    const { services } = harness.node;
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const config = { ...services.config, signingKeyDays };
    const clock = () => new Date(now);
    return TurningKeys.load({ ...services, config, clock, log, ...changes }, (keys) => {
      shown.push(keys);
    });
  }

  async function count(): Promise<number> {
    return (await harness.sql(`SELECT key_id FROM signing_keys WHERE use = 'sig'`)).length;
  }

  it('publishes the first keys, and publishes again only when keys change', async () => {
    const keys = await load();
    expect(shown).to.deep.equal([keys.current]);
    await keys.reload();
    expect(shown).to.have.length(1);
  });

  it('publishes a new key before it signs with it', async () => {
    const keys = await load();
    const old = keys.current.jwks[0]?.kid;
    const fresh = await rotateSigningKey({ ...harness.node.services, clock: () => new Date(now) });
    await keys.reload();
    expect(keys.current.jwks[0]?.kid).to.equal(old);
    expect(keys.current.jwks[1]?.kid).to.equal(fresh);
    now += PUBLISHED_AHEAD_MS;
    await keys.reload();
    expect(keys.current.jwks[0]?.kid).to.equal(fresh);
    expect(shown).to.have.length(3);
    expect(shown.at(-1)).to.equal(keys.current);
  });

  it('reads the keys again every minute until it is stopped', async () => {
    const keys = await load();
    expect(ticks.map(({ milliseconds }) => milliseconds)).to.deep.equal([60_000]);
    expect(ticks[0]?.timer.hasRef(), 'keeps no process alive').to.equal(false);
    const fresh = await rotateSigningKey({ ...harness.node.services, clock: () => new Date(now) });
    now += PUBLISHED_AHEAD_MS;
    ticks[0]?.run();
    while (keys.current.jwks[0]?.kid !== fresh) await new Promise(setImmediate);
    keys.stop();
    expect(ended).to.deep.equal([ticks[0]?.timer]);
  });

  it('rotates no keys when automatic rotation is off', async () => {
    const before = await count();
    now += 1000 * DAY_MS;
    await (await load(0)).reload();
    expect(await count()).to.equal(before);
  });

  it('rotates keys that are older than the configured number of days', async () => {
    const before = await count();
    const keys = await load(1);
    now += 3 * DAY_MS;
    await keys.reload();
    expect(await count()).to.equal(before + 1);
    await keys.reload();
    expect(await count()).to.equal(before + 1);
  });

  it('keeps its keys and logs a warning while the database is unreachable', async () => {
    const { database } = harness.node.services;
    let isAway = false;
    const away = Object.create(database, {
      transaction: {
        value: (...values: Parameters<typeof database.transaction>) =>
          isAway ? Promise.reject(new Error('the database is away')) : database.transaction(...values),
      },
    }) as typeof database;
    const keys = await load(0, { database: away });
    const { current } = keys;
    isAway = true;
    ticks[0]?.run();
    while (warnings.length === 0) await new Promise(setImmediate);
    expect(keys.current).to.equal(current);
    expect(JSON.parse(warnings[0] ?? '')).to.deep.include({
      msg: 'the signing keys could not be read again; those known stay in use',
    });
    expect(warnings[0]).to.include('the database is away');
  });
});
