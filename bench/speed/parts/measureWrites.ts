import { runBench } from '../../ingest/runBench.js';
import type { IngestResult } from '../../ingest/runBench.js';
import { Bed } from '../Bed.js';
import { circumstances } from '../circumstances.js';
import { measureRevokes } from '../measureRevokes.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import { CLAIMS_PER_FACT, seedCustomers } from '../seedCustomers.js';
import type { Settings } from '../settingsFrom.js';

/** Of what the profile read reaches just before. */
const READ_SHARES = [0, 0.7];

/** How fast events are accepted and applied, and how long a revoke takes to its answer while profiles are read. */
export async function measureWrites(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const bed = await Bed.open();
  try {
    const { ownerUrl, appId } = bed;
    say(`Ingesting ${settings.events} events …`);
    const ingested = await runBench({ ownerUrl, serviceUrl: await bed.serviceUrl(), events: settings.events });
    const { customers, facts, connections, revokes, seconds } = settings;
    const ids = await seedCustomers({
      ownerUrl,
      appId,
      customers,
      facts,
      claimsPerFact: CLAIMS_PER_FACT,
      prefix: 'bench',
    });
    const rows = [];
    for (const share of READ_SHARES) {
      say(`Revoking ${revokes} receipts beside reads at ${100 * share} % of the peak …`);
      const { perSecond, p50, p99 } = await measureRevokes(bed, { ids, revokes, connections, share, seconds });
      rows.push([`${100 * share} %`, Math.round(perSecond), p50.toFixed(1), p99.toFixed(1)]);
    }
    const header = ['reads, of their peak', 'profiles read a second', 'p50 ms', 'p99 ms'];
    const text = `${circumstances()}\n\n### Events\n\n${printIngest(ingested)}\n### Revoking\n\n${explain(revokes)}\n\n${printTable(header, rows)}`;
    return [{ title: 'Writes', text }];
  } finally {
    await bed.close();
  }
}

function printIngest({ events, seconds }: IngestResult): string {
  const row = (what: string, taken: number): (string | number)[] => [
    what,
    Math.round(events / taken),
    (seconds.plain / taken).toFixed(2),
  ];
  const table = printTable(
    ['', 'events/s', 'beside the plain INSERT'],
    [
      row('plain multi-row INSERT of the same rows', seconds.plain),
      row('accepted: idempotency key, gate, references, sequence, inbox', seconds.accept),
      row('applied: events, intents, cursor', seconds.apply),
    ],
  );
  return `${events} events in batches of 500 by 4 clients, without HTTP, durable (fsync on); accepted in turns with the plain INSERT, then applied by one worker.\n\n${table}`;
}

function explain(revokes: number): string {
  return `\`POST /v1/consent-receipts/{id}/revoke\` to its answer, ${revokes} receipts one after the other, durable, with and without profile reads beside them in
the same gateway, both sent by one process. After each answer the profile was asked for again for the revoked purpose, and every time refused.`;
}
