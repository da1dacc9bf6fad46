import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Route } from '../../rest-bridge/Route.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import { routeCases } from '../rest-bridge/routeCases.js';
import { ChildService } from '../support/ChildService.js';
import { makeCustomer } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { isMutation, takesBody } from '../support/routeShape.js';
import { IN_PROOFS } from '../support/itInProofs.js';

const DUPLICATES = IN_PROOFS ? 50 : 4;
const KILLS = IN_PROOFS ? 25 : 2;

/** One mutation, asked for many times under one key. */
interface Work {
  route: Route;
  key: string;
  path: string;
  body: unknown;
  by: TestPartner;
  answers: Set<string>;
}

/** Rows that an operation makes or removes, one each. */
const EFFECTS: Readonly<Record<string, [table: string, rows: number]>> = {
  createApp: ['apps', 1],
  createCustomer: ['customers', 1],
  deleteCustomer: ['customers', -1],
  createConsentReceipt: ['consent_receipts', 1],
  createConnectionSession: ['connection_sessions', 1],
  createEntry: ['entries', 1],
  registerWebhookEndpoint: ['webhook_endpoints', 1],
  deleteWebhookEndpoint: ['webhook_endpoints', -1],
};

const mutations = allRoutes.filter(isMutation);
const KEYS = IN_PROOFS ? 300 : mutations.length;

/**
 * Proof: however often a mutation is sent under its key, and whoever dies meanwhile, it has one effect and
 * one answer.
 */
describe('Duplicates of every mutation while a process is killed', function () {
  this.timeout(IN_PROOFS ? 3_600_000 : 240_000);
  let service: TestService;
  let app: TestPartner;
  let victim: ChildService;

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
    app = await service.makeApp();
    victim = await ChildService.start(service.database.ownerUrl, { ROLE: 'gateway' });
  });
  after(async () => {
    await victim?.kill();
    await service.stop();
  });

  async function workOf(index: number): Promise<Work> {
    const route = mutations[index % mutations.length] as Route;
    const found = routeCases[route.operation];
    if (found === undefined) throw new Error(`There is no case of ${route.operation}.`);
    const path = await found.path(app, service);
    const given = takesBody(route) ? await found.body?.(app, service, path) : undefined;
    // An app has ten former secrets at most; in the long form more than ten keys turn the same app's.
    const body = route.operation === 'rotateAppSecret' ? { expire_current: 'now' } : given;
    const by = found.needs === 'admin' ? service.admin : app;
    return {
      route,
      key: `dup-${String(index).padStart(4, '0')}-of-every-mutation`,
      path,
      body,
      by,
      answers: new Set(),
    };
  }

  /** Sends one duplicate until it is answered; at the process that is killed or at the one that stays. */
  async function send({ route, key, path, body, by, answers }: Work, place: number): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      const url = (place + tries) % 2 === 0 ? service.url : victim.url;
      const answer = await by
        .at(url)
        .rest(route.method, path, body, { 'idempotency-key': key })
        .catch((): Answer | undefined => undefined);
      if (answer !== undefined && answer.status < 300) {
        answers.add(`${answer.status} ${answer.text}`);
        return tries;
      }
      const mayPass =
        answer === undefined ||
        answer.status >= 500 ||
        answer.body?.error?.code === 'idempotency_in_progress';
      if (!mayPass) throw new Error(`${route.operation}: ${answer.status} ${answer.text}`);
      await sleep(20);
    }
  }

  async function countRows(): Promise<Map<string, number>> {
    const tables = [...new Set(Object.values(EFFECTS).map(([table]) => table))];
    const counts = new Map<string, number>();
    for (const table of tables) {
      const [{ n }] = await service.sql(`SELECT count(*)::int AS n FROM ${table}`);
      counts.set(table, n);
    }
    return counts;
  }

  it(`have one effect per key: ${KEYS} keys, ${DUPLICATES} duplicates, ${KILLS} kills`, async () => {
    const works: Work[] = [];
    for (let index = 0; index < KEYS; index += 1) works.push(await workOf(index));
    const before = await countRows();
    const expected = new Map(before);
    for (const { route } of works) {
      const [table, rows] = EFFECTS[route.operation] ?? ['', 0];
      if (rows !== 0) expected.set(table, (expected.get(table) ?? 0) + rows);
    }
    let sent = 0;
    let kills = 0;
    const queue = works.flatMap((work) =>
      Array.from({ length: DUPLICATES }, (_, place) => ({ work, place })),
    );
    const killEvery = Math.ceil(queue.length / (KILLS + 1));
    let killing: Promise<void> = Promise.resolve();
    const sender = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if ((queue.length + 1) % killEvery === 0 && kills < KILLS) {
          kills += 1;
          killing = killing.then(async () => {
            await victim.kill();
            victim = await ChildService.start(service.database.ownerUrl, { ROLE: 'gateway' });
          });
        }
        sent += await send(next.work, next.place);
      }
    };
    await Promise.all(Array.from({ length: 16 }, sender));
    await killing;
    const differing = works.filter(({ answers }) => answers.size !== 1).map(({ route }) => route.operation);
    expect(differing).to.deep.equal([]);
    expect(kills).to.equal(KILLS);
    const [{ keys }] = await service.sql(
      `SELECT count(*)::int AS keys FROM idempotency_keys WHERE key LIKE '%dup-%' AND result IS NOT NULL`,
    );
    expect(keys).to.equal(KEYS);
    expect(Object.fromEntries(await countRows())).to.deep.equal(Object.fromEntries(expected));
    const without = await withoutCommonKey();
    recordProof({
      proof: 'duplicates',
      injected: `every mutation ${DUPLICATES} times under one key, over two processes, ${kills} kills of one`,
      times: sent,
      checked: 'one answer for each key, one row for each that makes or removes one, one stored result',
      figure: `${KEYS} keys, ${mutations.length} operations, 0 twice`,
      broken: `each duplicate under a key of its own: ${without} receipts instead of 1`,
    });
  });

  /** The control: the count sees a second effect. */
  async function withoutCommonKey(): Promise<number> {
    const customer = await makeCustomer(app);
    const body = { customer_id: customer, purposes: ['support'] };
    for (let times = 0; times < 3; times += 1)
      await app.rest('POST', '/v1/consent-receipts', body, { 'idempotency-key': freshKey() });
    const [{ n }] = await service.sql(
      'SELECT count(*)::int AS n FROM consent_receipts WHERE customer_id = $1',
      [customer],
    );
    expect(n).to.equal(3);
    return n as number;
  }
});
