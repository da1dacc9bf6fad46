import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ingestEvents } from '../../../src/commands/ingestEvents.js';
import { drainCustomer } from '../../../src/jobs/drainCustomer.js';
import { QueueWorker } from '../../../src/jobs/QueueWorker.js';
import type { WorkOutcome } from '../../../src/jobs/QueueWorker.js';
import type { Services } from '../../../src/Services.js';
import { IngestFixture } from '../../support/IngestFixture.js';

/**
 * A gateway or a worker as a process of its own, made to be killed: `gateway URL APP JOURNAL REQUESTS
 * CUSTOMER…` sends so many requests, each noted in the journal before it is sent and after it was answered;
 * begun again it goes on where the journal ends. `worker URL APP` applies until it is told to end; `careless`
 * does it wrong.
 */
const [role = '', url = '', appId = '', ...rest] = process.argv.slice(2);
const fixture = new IngestFixture(url, { appId, poolSize: 4 });

process.send?.('at work');
if (role === 'gateway') await sendAll(rest[0] ?? '', Number(rest[1]), rest.slice(2));
else await applyUntilTold(role === 'careless' ? drainCarelessly : drainCustomer);
await fixture.close();

async function sendAll(journal: string, requests: number, customers: string[]): Promise<void> {
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : [];
  const answered = lines.filter((line) => line.startsWith('A ')).length;
  for (let request = answered; request < requests; request += 1) {
    appendFileSync(journal, `S ${request}\n`);
    await sendUntilAnswered(`${journal.slice(-40)}-request-${request}`, request, customers);
    appendFileSync(journal, `A ${request}\n`);
  }
}

/** As a partner does: the same request under the same key until there is an answer. */
async function sendUntilAnswered(key: string, request: number, customers: readonly string[]): Promise<void> {
  const events = Array.from({ length: 5 }, (_, index) =>
    fixture.event(customers[(request * 7 + index * 3) % customers.length] ?? '', {
      eventType: index % 2 === 0 ? 'purchased' : 'viewed',
      object: `entry-${(request + index) % 10}`,
    }),
  );
  for (;;) {
    try {
      await fixture.request(
        'ingestEvents',
        { events },
        (tx, context) => ingestEvents(tx, context, { events }),
        key,
      );
      return;
    } catch {
      await sleep(20);
    }
  }
}

async function applyUntilTold(
  work: (services: Services, appId: string, subject: string) => Promise<WorkOutcome>,
): Promise<void> {
  const worker = new QueueWorker(fixture.services, { queue: 'customer', concurrency: 3, pollMs: 20, work });
  worker.start();
  await new Promise((resolve) => process.once('SIGTERM', resolve));
  await worker.stop();
}

/** The mistake that one transaction prevents: items leave the inbox in one, and take effect in the next. */
async function drainCarelessly(services: Services, app: string, customerId: string): Promise<WorkOutcome> {
  const rows = await services.database.transaction(app, (tx) =>
    tx.query(
      `WITH gone AS (DELETE FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = $2)
       DELETE FROM inbox WHERE app_id = $1 AND customer_id = $2 RETURNING sequence, item_id, purpose, epoch,
         accepted_at`,
      [app, customerId],
    ),
  );
  if (Math.random() < 0.1) process.kill(process.pid, 'SIGKILL');
  await sleep(1);
  await services.database.transaction(app, async (tx) => {
    for (const row of rows)
      await tx.execute(
        `INSERT INTO events (app_id, customer_id, sequence, event_id, status, purpose, epoch, accepted_at,
          processed_at)
         VALUES ($1, $2, $3, $4, 'processed', $5, $6, $7, now())`,
        [app, customerId, row['sequence'], row['item_id'], row['purpose'], row['epoch'], row['accepted_at']],
      );
  });
  return 'done';
}
