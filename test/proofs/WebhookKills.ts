import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { registerWebhookEndpoint } from '../../src/commands/registerWebhookEndpoint.js';
import { Database } from '../../src/database/Database.js';
import { newId } from '../../src/domain/ids.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { execute } from '../support/execute.js';
import { insertApp } from '../support/insertApp.js';
import { TEST_SECRETS_KEY, createTestDatabase } from '../support/database.js';
import { TestReceiver } from '../support/TestReceiver.js';
import type { Answering, Received } from '../support/TestReceiver.js';
import { LOCAL_NETWORK } from '../support/webhookFixtures.js';
import type { ChildMode, ChildOptions } from './webhookChild.js';

const CHILD = fileURLToPath(new URL('./webhookChild.js', import.meta.url));
const SPEED = 40;

export interface KillPlan {
  kills: number;
  /** Kill workers only; writers too otherwise. */
  workersOnly?: boolean;
  worker: ChildMode;
  writer: ChildMode;
}

export interface KillReport {
  committed: number;
  received: number;
  /** Requests beyond the first of a message: what "at least once" costs. */
  repeats: number;
  /** Whatever breaks a promise, in words. */
  violations: string[];
}

/**
 * Kills workers and writers at random under load, then lets what is left drain and compares what arrived with
 * what committed.
 */
export async function runKills(plan: KillPlan): Promise<KillReport> {
  const { ownerUrl, serviceUrl, drop } = await createTestDatabase();
  const receiver = await TestReceiver.start(moody());
  const room = await prepareRoom(serviceUrl, receiver);
  const spawn = async (mode: ChildMode): Promise<ChildProcess> => {
    const options: ChildOptions = {
      mode,
      url: serviceUrl,
      secretsKey: TEST_SECRETS_KEY,
      ...room,
      speed: SPEED,
    };
    const child = fork(CHILD, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    return child;
  };
  const modes = [plan.worker, plan.worker, plan.writer, plan.writer];
  const children = await Promise.all(modes.map(spawn));
  try {
    await sleep(1000);
    for (let kill = 0; kill < plan.kills; kill += 1) {
      await sleep(100 + Math.random() * 200);
      const place = Math.floor(Math.random() * (plan.workersOnly === true ? 2 : children.length));
      await killed(children[place]);
      children[place] = await spawn(modes[place] ?? 'worker');
    }
    await sleep(500);
    for (const writer of children.splice(2)) await killed(writer);
    await drained(ownerUrl);
    return await compare(ownerUrl, receiver.received);
  } finally {
    for (const child of children) await killed(child);
    await receiver.stop();
    await drop();
  }
}

async function prepareRoom(
  url: string,
  receiver: TestReceiver,
): Promise<{ appId: string; endpointId: string; startedAt: number }> {
  const database = new Database({ url, poolSize: 1 });
  const appId = newId('app');
  await insertApp(database, appId, new Date());
  const tools = { secrets: new SecretBox(TEST_SECRETS_KEY), policy: LOCAL_NETWORK.policy };
  const { endpoint } = await database.transaction(appId, (tx) =>
    registerWebhookEndpoint(
      tx,
      { appId, now: new Date() },
      { url: receiver.url(), enabledEvents: ['*'] },
      tools,
    ),
  );
  await database.close();
  return { appId, endpointId: endpoint.id, startedAt: Date.now() };
}

/** Answers mostly well; at times, once a message, with an error, slowly, or not at all. */
function moody(): Answering {
  const seen = new Set<string>();
  return ({ id }, response) => {
    const mood = seen.has(id) ? 1 : Math.random();
    seen.add(id);
    if (mood < 0.01) return;
    if (mood < 0.05) response.writeHead(500).end();
    else setTimeout(() => response.writeHead(204).end(), mood < 0.1 ? 100 : 0);
  };
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Waits until nothing is left to send; the test's own timeout is the bound. */
async function drained(ownerUrl: string): Promise<void> {
  for (;;) {
    const [left] = await execute<{ left: number }>(
      ownerUrl,
      `SELECT ((SELECT count(*) FROM outbox) + (SELECT count(*) FROM webhook_deliveries
        WHERE status = 'pending'))::int AS left`,
    );
    if (left?.left === 0) return;
    await sleep(200);
  }
}

async function compare(ownerUrl: string, received: readonly Received[]): Promise<KillReport> {
  const rows = await execute<{ customer_id: string }>(ownerUrl, 'SELECT customer_id FROM customers');
  const committed = new Set(rows.map((row) => row.customer_id));
  const arrived = new Map<string, Received[]>();
  for (const message of received) {
    const name = (JSON.parse(message.body) as { data: { entry_id: string } }).data.entry_id;
    arrived.set(name, [...(arrived.get(name) ?? []), message]);
  }
  const violations = [
    ...[...committed]
      .filter((name) => !arrived.has(name))
      .map((name) => `lost: ${name} committed and never arrived`),
    ...[...arrived.keys()]
      .filter((name) => !committed.has(name))
      .map((name) => `phantom: ${name} rolled back and arrived`),
    ...[...arrived]
      .filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1)
      .map(([name]) => `several webhook-ids for ${name}`),
    ...[...arrived]
      .filter(([, all]) => new Set(all.map(({ sequence }) => sequence)).size > 1)
      .map(([name]) => `several numbers for ${name}`),
    ...sequenceGaps(received),
  ];
  return {
    committed: committed.size,
    received: received.length,
    repeats: received.length - arrived.size,
    violations,
  };
}

function sequenceGaps(received: readonly Received[]): string[] {
  const numbers = [...new Set(received.map(({ sequence }) => sequence))].toSorted((a, b) => a - b);
  return numbers
    .flatMap((number, index) =>
      number === index + 1 ? [] : [`gap: number ${number} stands at place ${index + 1}`],
    )
    .slice(0, 5);
}
