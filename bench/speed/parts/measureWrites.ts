import { runBench } from '../../ingest/runBench.js';
import type { IngestResult } from '../../ingest/runBench.js';
import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { compareWrites, seedEntries } from '../compareWrites.js';
import { measureBatches, printBatches, WARMED_UP } from '../measureBatches.js';
import { measureRevokes } from '../measureRevokes.js';
import { measureWebhooks } from '../measureWebhooks.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import type { Settings } from '../settingsFrom.js';

/** Of what the profile read reaches just before. */
const READ_SHARES = [0, 0.7];

type Measure = (
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
  say: Say,
) => Promise<string>;

/** Chapters of this part; `--only` names one of them. */
const CHAPTERS: Record<string, Measure> = {
  Batches: measureAllBatches,
  Events: measureEvents,
  Revoking: measureRevoking,
  Webhooks: measureDeliveries,
  'Single writes': measureSingles,
};

type Say = (line: string) => void;

/**
 * How fast is written: single writes beside hand-written ones, batches, events without HTTP, and revokes
 * while profiles are read. Each chapter has a PostgreSQL of its own, so none pays for what another wrote.
 */
export async function measureWrites(settings: Settings, say: Say): Promise<Section[]> {
  const chapters = [circumstances()];
  for (const [title, measure] of Object.entries(CHAPTERS)) {
    if (!title.includes(settings.only ?? '')) continue;
    say(`${title} …`);
    chapters.push(`### ${title}`, await measureAlone(measure, settings, say));
  }
  return [{ title: 'Writes', text: chapters.join('\n\n') }];
}

async function measureAlone(measure: Measure, settings: Settings, say: Say): Promise<string> {
  const harness = await BenchHarness.open();
  try {
    const { customers, facts } = settings;
    const ids = await harness.seed({ customers, facts });
    await seedEntries(harness);
    return await measure(harness, ids, settings, say);
  } finally {
    await harness.close();
  }
}

async function measureSingles(
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
  say: Say,
): Promise<string> {
  const singles = await compareWrites(harness, ids, settings, say);
  return `${explainSingles(settings)}\n\n${singles}`;
}

async function measureAllBatches(
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
  say: Say,
): Promise<string> {
  const rounds = [];
  for (let round = 0; round < settings.rounds; round += 1)
    rounds.push(await measureBatches(harness, { ids, items: settings.items }, say));
  return `${explainBatches(settings)}\n\n${printBatches(rounds)}`;
}

async function measureEvents(
  harness: BenchHarness,
  _ids: readonly string[],
  { events }: Settings,
): Promise<string> {
  return printIngest(
    await runBench({ ownerUrl: harness.ownerUrl, serviceUrl: await harness.serviceUrl(), events }),
  );
}

async function measureRevoking(
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
  say: Say,
): Promise<string> {
  const { connections, revokes, seconds } = settings;
  const rows = [];
  for (const share of READ_SHARES) {
    say(`Revoking ${revokes} receipts beside reads at ${100 * share} % of the peak …`);
    const { perSecond, p50, p99 } = await measureRevokes(harness, {
      ids,
      revokes,
      connections,
      share,
      seconds,
    });
    rows.push([`${100 * share} %`, Math.round(perSecond), p50.toFixed(1), p99.toFixed(1)]);
  }
  const header = ['reads, of their peak', 'profiles read a second', 'p50 ms', 'p99 ms'];
  return `${explain(revokes)}\n\n${printTable(header, rows)}`;
}

async function measureDeliveries(
  harness: BenchHarness,
  ids: readonly string[],
  settings: Settings,
): Promise<string> {
  return `${explainDeliveries(settings)}\n\n${await measureWebhooks(harness, ids, settings)}`;
}

function explainDeliveries({ deliveries, rounds }: Settings): string {
  return `${deliveries} messages about customers, or as many deliveries of fewer messages, from one app's outbox over one worker to a receiver in a process of
its own that answers at once; durable, signed, each let through the gate of consent and recorded. Counted is what arrived; before it as many were delivered unmeasured. Medians of ${rounds} rounds, lowest and highest in
brackets.`;
}

function explainSingles({ connections, rounds, seconds }: Settings): string {
  return `Writes by hand leave the same rows in the same tables of the same PostgreSQL (key with its answer, head, sequence, workflow, work queue, tally, outbox,
ledger), equally durable. They know one token and one app, check no shapes, and their statements stand behind no row level security. One gateway without a worker;
${connections} connections; ${rounds} rounds of ${seconds} s per row.`;
}

function explainBatches({ items, customers, rounds }: Settings): string {
  return `${items} items of each kind in batches of 100 of as many customers, by 8 clients, durable (fsync on). ${WARMED_UP} Medians of ${rounds} rounds, lowest
and highest in brackets; all are of the same ${customers} customers, so each has more behind it than the one before.`;
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
