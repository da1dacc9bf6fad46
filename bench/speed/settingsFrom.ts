/** What `npm run bench` can measure, in the order in which it does. */
export const PARTS = [
  'comparison',
  'apps',
  'latency',
  'beside',
  'claims',
  'customers',
  'batches',
  'processes',
  'writes',
  'memory',
] as const;

export type Part = (typeof PARTS)[number];

export interface Settings {
  parts: readonly Part[];
  /** Measures only targets, or chapters of `writes`, whose name contains this text, and writes no report. */
  only: string | undefined;
  /** Where the report is kept; parts that were not measured stay in it as they are. */
  report: string;
  customers: number;
  facts: number;
  rounds: number;
  /** Of one row in one round. */
  seconds: number;
  connections: number;
  /** Customers that have their claims taken in by the service, for each number of claims. */
  claimCustomers: number;
  /** The largest number of customers. */
  most: number;
  events: number;
  /** Claims, and events, that are sent by HTTP in batches. */
  items: number;
  revokes: number;
  /** Webhooks that are delivered. */
  deliveries: number;
  /** How long memory is watched. */
  longSeconds: number;
}

/** @param given `--name=value` each @throws Error on a part that there is not */
export function settingsFrom(given: readonly string[]): Settings {
  const text = (name: string): string | undefined =>
    given.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const number = (name: string, fallback: number): number => Number(text(name) ?? fallback);
  return {
    parts: partsFrom(text('parts'), text('long') !== undefined),
    only: text('only'),
    report: text('report') ?? 'docs/performance.md',
    customers: number('customers', 2000),
    facts: number('facts', 12),
    rounds: number('rounds', 5),
    seconds: number('seconds', 2),
    connections: number('connections', 32),
    claimCustomers: number('claim-customers', 50),
    most: number('most', 1_000_000),
    events: number('events', 20_000),
    items: number('items', 40_000),
    revokes: number('revokes', 300),
    deliveries: number('deliveries', 4000),
    longSeconds: number('long', 600),
  };
}

/** Memory takes ten minutes: only when it is asked for. */
function partsFrom(named: string | undefined, long: boolean): readonly Part[] {
  if (named === undefined) return PARTS.filter((part) => long || part !== 'memory');
  const wanted = named.split(',');
  const unknown = wanted.find((part) => !PARTS.some((known) => known === part));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${PARTS.join(', ')}.`);
  return PARTS.filter((part) => wanted.includes(part));
}
