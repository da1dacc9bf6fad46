import { BenchHarness } from '../BenchHarness.js';
import { circumstances } from '../circumstances.js';
import { measureBatches, WARMED_UP } from '../measureBatches.js';
import type { BatchRates } from '../measureBatches.js';
import { median } from '../median.js';
import { printTable } from '../printTable.js';
import type { Section } from '../Section.js';
import { seedAlike } from '../seedAlike.js';
import type { Settings } from '../settingsFrom.js';
import { seedEntries } from '../compareWrites.js';

interface Population {
  customers: number;
  harness: BenchHarness;
  ids: string[];
  rounds: BatchRates[][];
}

const FEWEST = 100;
const FACTS = 6;
const RATES = ['accepted', 'applied', 'both'] as const;

/**
 * What more customers cost a batch of claims or events: the fewest beside the most, each in a PostgreSQL of
 * its own, in turns.
 */
export async function growBatches(settings: Settings, say: (line: string) => void): Promise<Section[]> {
  const populations: Population[] = [];
  try {
    for (const customers of [FEWEST, settings.most]) {
      say(`Making ${customers} customers …`);
      const harness = await BenchHarness.open();
      const population: Population = { customers, harness, ids: [], rounds: [] };
      populations.push(population);
      population.ids = await seedAlike(harness, { customers, facts: FACTS });
      await seedEntries(harness);
    }
    for (let round = 0; round < settings.rounds; round += 1)
      for (const { harness, ids, rounds } of round % 2 === 0 ? populations : populations.toReversed())
        rounds.push(await measureBatches(harness, { ids, items: settings.items }, say));
    return [
      { title: 'Batches of many customers', text: `${explain(settings)}\n\n${printCost(populations)}` },
    ];
  } finally {
    for (const { harness } of populations) await harness.close();
  }
}

function printCost([few, many]: readonly Population[]): string {
  const rows = (few?.rounds[0] ?? []).flatMap(({ kind }, at) =>
    RATES.map((rate) => {
      const of = (population: Population | undefined): number =>
        median((population?.rounds ?? []).map((rates) => rates[at]?.[rate] ?? Number.NaN));
      return [`${kind}, ${rate}`, of(few), of(many), (of(few) / of(many)).toFixed(2)];
    }),
  );
  const name = (population?: Population): string => `${population?.customers.toLocaleString('en')} customers`;
  return printTable(['items/s', name(few), name(many), 'cost'], rows);
}

function explain({ items, rounds }: Settings): string {
  return `${items} items of each kind in batches of 100 of as many customers, by 8 clients, durable; ${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}, in turns. ${WARMED_UP} Customers have ${FACTS} facts.
Aim: a million customers cost at most 1.3 × what a hundred do. ${circumstances()}`;
}
