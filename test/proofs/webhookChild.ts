import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/Database.js';
import { announce } from '../../src/database/outbox.js';
import { newId } from '../../src/domain/ids.js';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { claimDeliveries } from '../../src/jobs/webhooks/claimDeliveries.js';
import { postWebhook } from '../../src/jobs/webhooks/postWebhook.js';
import type { PreparedRequest, Send } from '../../src/jobs/webhooks/postWebhook.js';
import { sendThroughGate } from '../../src/jobs/webhooks/sendThroughGate.js';
import { OutcomeRecorder } from '../../src/jobs/webhooks/OutcomeRecorder.js';
import { WebhookWorker } from '../../src/jobs/webhooks/WebhookWorker.js';
import { LOCAL_NETWORK, entryMessage } from '../support/webhookFixtures.js';
import { ReceiverConnections } from '../../src/jobs/webhooks/ReceiverConnections.js';

/** What a child of the kill proof does; the last two are broken on purpose. */
export type ChildMode = 'worker' | 'writer' | 'worker-recording-before-sending' | 'writer-announcing-apart';

export interface ChildOptions {
  mode: ChildMode;
  url: string;
  appId: string;
  endpointId: string;
  secretsKey: string;
  /**
   * The children's clock runs this much faster from `startedAt`, so that leases and delays are not waited for
   * in full.
   */
  speed: number;
  startedAt: number;
}

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions;
const { appId, endpointId, speed, startedAt } = options;
const database = new Database({ url: options.url, poolSize: 6 });
const secrets = new SecretBox(options.secretsKey);
const clock = (): Date => new Date(startedAt + (Date.now() - startedAt) * speed);
const report = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);

const ROLLED_BACK = new Error('rolled back on purpose');

/** Commits changes and rolls others back, each with its message. */
async function write(apart: boolean): Promise<never> {
  for (;;) {
    const name = newId('cus');
    const keep = Math.random() < 0.7;
    if (apart) await database.transaction(appId, async (tx) => announce(tx, entryMessage(name)));
    await database
      .transaction(appId, async (tx) => {
        await tx.execute(
          `INSERT INTO customers (app_id, customer_id, external_id, status, created_at, updated_at)
            VALUES ($1, $2, $2, 'active', now(), now())`,
          [appId, name],
        );
        if (!apart) announce(tx, entryMessage(name));
        if (!keep) throw ROLLED_BACK;
      })
      .catch((error: unknown) => (error === ROLLED_BACK ? undefined : report(error)));
    await sleep(Math.random() * 12);
  }
}

function work(): void {
  const worker = new WebhookWorker({
    database,
    secrets,
    clock,
    network: LOCAL_NETWORK,
    onError: report,
    pollMs: 20,
    timeoutMs: 300,
  });
  worker.start();
}

/**
 * The mistake of many a delivery worker: "sent" is written down first, so that nothing is ever sent twice.
 */
async function workCarelessly(): Promise<never> {
  const dispatcher = new WebhookWorker({ database, secrets, clock, network: LOCAL_NETWORK, onError: report });
  for (;;) {
    await dispatcher.dispatchRound();
    const claims = await claimDeliveries(database, appId, [endpointId], clock());
    await Promise.all(
      claims.map(async (claim) => {
        let kept: PreparedRequest | undefined;
        await sendThroughGate({ database, secrets, clock }, claim, async (request) => void (kept = request));
        const outcome = { kind: 'made', startedAt: clock(), durationMs: 1, statusCode: 200 } as const;
        await new OutcomeRecorder(database).record(claim, outcome, {
          now: clock(),
          random: 0.5,
        });
        await sleep(150);
        const request = kept;
        if (request === undefined) return;
        const late = { url: claim.url, decide: (send: Send): Promise<void> => send(request), timeoutMs: 300 };
        await postWebhook(late, new ReceiverConnections(LOCAL_NETWORK)).catch(() => undefined);
      }),
    );
    await sleep(5);
  }
}

process.send?.('ready');

/** Ends with the parent, however that ended. */
process.on('disconnect', () => process.exit(0));

if (options.mode === 'worker') work();
else if (options.mode === 'worker-recording-before-sending') void workCarelessly();
else void write(options.mode === 'writer-announcing-apart');
