import { Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Transaction } from '../../database/Transaction.js';
import { EVERY_DAILY } from '../../domain/learningSubject.js';
import type { ChosenModel } from '../../domain/resolution/types.js';
import type { Services } from '../../Services.js';
import { sharedLook } from '../sharedLook.js';

const gain = new Histogram({
  name: 'resolution_model_gain',
  help: 'Log-probability per held-out claim by which the chosen model of sources predicts better than independent ones',
  labelNames: ['dependence', 'by_attribute'],
  buckets: [0, 0.001, 0.01, 0.03, 0.1, 0.3, 1],
  registers: [],
});

/** Records the gain of the chosen model, once its snapshot has committed. */
export function measureLearned(
  tx: Transaction,
  { dependence, byAttribute, gain: gained }: ChosenModel,
): void {
  tx.afterCommit(() => gain.observe({ dependence, by_attribute: String(byAttribute) }, gained));
}

/** Requests, runs and recomputations, without those that wait for the next day. */
const UNSETTLED = {
  name: 'unsettled_learning',
  text: `SELECT count(*) AS unsettled FROM work_queue WHERE queue = 'learning'
    AND subject NOT LIKE '${EVERY_DAILY}'`,
};

export function registerLearningMetrics(
  registry: Registry,
  services: Pick<Services, 'database' | 'log'>,
): void {
  registry.registerMetric(gain);
  const unsettled = new Gauge({
    name: 'resolution_unsettled',
    help: 'Purposes of apps whose claims changed since they were learned from, or whose facts are being made anew',
    registers: [registry],
    collect: sharedLook(look, (error) => services.log.warn({ err: error }, 'cannot look at what is learned')),
  });
  async function look(): Promise<void> {
    const [row] = await services.database.read<{ unsettled: number }>(UNSETTLED, []);
    unsettled.set(row?.unsettled ?? 0);
  }
}
