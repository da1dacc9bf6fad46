import type {
  ConsentOverview,
  FactsOverview,
  IngestOverview,
  ItemFlow,
  PurposeFacts,
  RequestOverview,
  RequestsAt,
} from '../../schema/types/Overview.js';
import { LAST_STEP, quantileMs } from '../domain/overview/durationSteps.js';
import type { WindowSteps } from '../domain/overview/overviewWindow.js';
import type { TallySheet } from '../domain/overview/TallySheet.js';
import { PLACE_OF, purposesOf } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { ReadScope } from './ReadScope.js';
import { readTallies } from './readTallies.js';

const DECILES = 10;

const ALLOWED = { name: 'overview_allowed_mask', text: 'SELECT allowed_mask FROM apps WHERE app_id = $1' };

/** Customers and their consents per purpose, now and at the end of each step. */
export async function loadConsentOverview(scope: ReadScope, steps: WindowSteps): Promise<ConsentOverview> {
  const sheet = await readTallies(scope, ['customers', 'consent'], steps);
  const purposes = (await allowedPurposes(scope)).map(({ purpose, index }) => {
    const levels = sheet.levels('consent', steps.starts, index);
    const series = steps.starts.map((at, step) => ({ at, count: levels[step] ?? 0 }));
    return { purpose, customers: sheet.total('consent', index), series };
  });
  return { customers: sheet.total('customers'), purposes };
}

/** Readable facts, by purpose and tenth of confidence. */
export async function loadFactsOverview(scope: ReadScope, steps: WindowSteps): Promise<FactsOverview> {
  const sheet = await readTallies(scope, ['facts'], steps);
  const allowed = await allowedPurposes(scope);
  const purposes = allowed.map(({ purpose, index }) => purposeFacts(sheet, purpose, index));
  return { facts: purposes.reduce((sum, { facts }) => sum + facts, 0), purposes };
}

function purposeFacts(sheet: TallySheet, purpose: Purpose, index: number): PurposeFacts {
  const buckets = Array.from({ length: DECILES }, (_, decile) => ({
    from: decile / DECILES,
    to: (decile + 1) / DECILES,
    facts: sheet.total('facts', index * DECILES + decile),
  }));
  return { purpose, facts: buckets.reduce((sum, { facts }) => sum + facts, 0), buckets };
}

const FLOW_MEASURES = ['event', 'claim'].flatMap((kind) =>
  ['accepted', 'applied', 'refused', 'failed'].map((outcome) => `${kind}_${outcome}`),
);

/** Results of events and claims, step by step. */
export async function loadIngestOverview(scope: ReadScope, steps: WindowSteps): Promise<IngestOverview> {
  const sheet = await readTallies(scope, FLOW_MEASURES, steps);
  return { events: itemFlow(sheet, 'event', steps), claims: itemFlow(sheet, 'claim', steps) };
}

function itemFlow(sheet: TallySheet, kind: 'event' | 'claim', { starts }: WindowSteps): ItemFlow {
  return {
    accepted: sheet.within(`${kind}_accepted`),
    applied: sheet.within(`${kind}_applied`),
    refused: sheet.within(`${kind}_refused`),
    failed: sheet.within(`${kind}_failed`),
    series: starts.map((at) => ({
      at,
      accepted: sheet.at(`${kind}_accepted`, at),
      applied: sheet.at(`${kind}_applied`, at),
      refused: sheet.at(`${kind}_refused`, at),
      failed: sheet.at(`${kind}_failed`, at),
    })),
  };
}

/** The app's requests: their number, errors and durations. */
export async function loadRequestOverview(scope: ReadScope, steps: WindowSteps): Promise<RequestOverview> {
  const sheet = await readTallies(scope, ['request', 'request_refused', 'request_failed'], steps);
  const whole = durations((step) => sheet.within('request', step));
  return {
    ...requestsOf(whole),
    refused: sheet.within('request_refused'),
    failed: sheet.within('request_failed'),
    series: steps.starts.map((at) => requestsAt(sheet, at)),
  };
}

function requestsAt(sheet: TallySheet, at: string): RequestsAt {
  const counts = durations((step) => sheet.at('request', at, step));
  const refused = sheet.at('request_refused', at);
  return { at, ...requestsOf(counts), refused, failed: sheet.at('request_failed', at) };
}

function requestsOf(
  counts: ReadonlyMap<number, number>,
): Pick<RequestOverview, 'requests' | 'p50Ms' | 'p99Ms'> {
  const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { requests, p50Ms: quantileMs(counts, 0.5), p99Ms: quantileMs(counts, 0.99) };
}

function durations(countOf: (step: number) => number): Map<number, number> {
  return new Map(Array.from({ length: LAST_STEP + 1 }, (_, step) => [step, countOf(step)]));
}

/** Purposes that the app may not process are not shown, whatever customers granted. */
async function allowedPurposes({
  services,
  appId,
}: ReadScope): Promise<{ purpose: Purpose; index: number }[]> {
  const [row] = await services.database.read<{ allowed_mask: number }>(ALLOWED, [appId]);
  return purposesOf(row?.allowed_mask ?? 0).map((purpose) => ({ purpose, index: PLACE_OF[purpose] }));
}
