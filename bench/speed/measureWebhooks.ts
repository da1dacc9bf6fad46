import { join } from 'node:path';
import { registerWebhookEndpoint } from '../../src/commands/registerWebhookEndpoint.js';
import { announceAll } from '../../src/database/outbox.js';
import { Database } from '../../src/database/Database.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { WebhookWorker } from '../../src/jobs/webhooks/WebhookWorker.js';
import type { BenchHarness } from './BenchHarness.js';
import { median } from './median.js';
import { printTable } from './printTable.js';
import { ServerProcess } from './ServerProcess.js';
import type { Settings } from './settingsFrom.js';
import { vacuum } from './vacuum.js';

/** Answers every webhook at once. */
export const RECEIVER = join(import.meta.dirname, 'receiveWebhooks.js');
const SECRETS = new SecretBox('bench-secrets-key-of-at-least-32-characters');
const NETWORK = { policy: { allowLoopback: true, allowHttp: true }, resolve: async () => [] };

/** Endpoints, and what they were to receive a second together. */
const AIMS: readonly (readonly [endpoints: number, aim: number])[] = [
  [1, 1000],
  [100, 3000],
];

/** Messages that one transaction announces. */
const ANNOUNCED_AT_ONCE = 100;

/** What has not arrived after this time is not waited for. */
const MAX_MS = 60_000;

/**
 * How many webhooks a second arrive at receivers that answer at once: messages about customers, whose consent
 * is asked for each, from the outbox of one app over one worker.
 */
export async function measureWebhooks(
  harness: BenchHarness,
  ids: readonly string[],
  { deliveries, rounds }: Pick<Settings, 'deliveries' | 'rounds'>,
): Promise<string> {
  const database = new Database({ url: await harness.serviceUrl(), poolSize: 12 });
  try {
    const rows = [];
    for (const [endpoints, aim] of AIMS) {
      const runs = await deliver(harness, database, { ids, endpoints, deliveries, rounds });
      const rates = runs.map(({ arrived, seconds }) => Math.round(arrived / seconds));
      const rate = median(rates);
      const range = `${rate} (${Math.min(...rates)}–${Math.max(...rates)})`;
      const arrived = runs.reduce((sum, run) => sum + run.arrived, 0);
      const what = endpoints === 1 ? 'one receiver' : `${endpoints} endpoints`;
      rows.push([what, arrived, deliveries * rounds, range, aim, rate >= aim ? 'met' : '**missed**']);
    }
    return printTable(['', 'arrived', 'of', 'deliveries/s', 'aim', ''], rows);
  } finally {
    await database.close();
  }
}

interface DeliveryPlan {
  ids: readonly string[];
  endpoints: number;
  deliveries: number;
  rounds: number;
}

interface Delivered {
  arrived: number;
  seconds: number;
}

/** What arrived in each round. */
async function deliver(
  { appId, ownerUrl }: BenchHarness,
  database: Database,
  { ids, endpoints, deliveries, rounds }: DeliveryPlan,
): Promise<Delivered[]> {
  const clock = (): Date => new Date();
  const receiver = await ServerProcess.start('receiver', RECEIVER, {});
  const url = (place: number): string => `http://127.0.0.1:${receiver.port}/${place}`;
  const tools = { secrets: SECRETS, policy: NETWORK.policy };
  for (let place = 0; place < endpoints; place += 1)
    await database.transaction(appId, (tx) =>
      registerWebhookEndpoint(
        tx,
        { appId, now: clock() },
        { url: url(place), enabledEvents: ['profile.updated'] },
        tools,
      ),
    );
  const toldNow = async (): Promise<number> => (await receiver.told<{ arrived: number }>()).arrived;
  const run = async (): Promise<Delivered> => {
    const before = await toldNow();
    await announce(database, appId, ids, deliveries / endpoints);
    const worker = new WebhookWorker({
      database,
      secrets: SECRETS,
      clock,
      network: NETWORK,
      onError: (error, what) => console.error(what, error),
    });
    const started = performance.now();
    worker.start();
    let arrived = 0;
    while (arrived < deliveries && performance.now() - started < MAX_MS) {
      await new Promise((wake) => setTimeout(wake, 20));
      arrived = (await toldNow()) - before;
    }
    const seconds = (performance.now() - started) / 1000;
    await worker.stop();
    return { arrived, seconds };
  };
  // Once unmeasured, so that PostgreSQL plans for tables that have rows, as autovacuum sees to within
  // minutes.
  await run();
  await vacuum(ownerUrl);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await run());
  await receiver.stop();
  await database.transaction(appId, (tx) =>
    tx.execute('DELETE FROM webhook_endpoints WHERE app_id = $1', [appId]),
  );
  return measured;
}

async function announce(
  database: Database,
  appId: string,
  ids: readonly string[],
  count: number,
): Promise<void> {
  const messages = Array.from({ length: count }, (_, place) => {
    const customerId = ids[place % ids.length] ?? '';
    const data = {
      customer_id: customerId,
      purposes: ['personalization'] as const,
      updated_at: new Date().toISOString(),
    };
    return { type: 'profile.updated' as const, data, customerId, purposes: ['personalization'] as const };
  });
  for (let from = 0; from < count; from += ANNOUNCED_AT_ONCE)
    await database.transaction(appId, async (tx) =>
      announceAll(tx, messages.slice(from, from + ANNOUNCED_AT_ONCE)),
    );
}
