import type { WindowSteps } from '../domain/overview/overviewWindow.js';
import { TallySheet } from '../domain/overview/TallySheet.js';
import type { ReadScope } from './ReadScope.js';

interface SumRow {
  measure: string;
  key: number;
  step: string | null;
  amount: number;
}

/** Running totals: they need the sums before the window. */
const LEVELS = ['customers', 'consent', 'facts'];

// A change is either folded or a row of its own: one snapshot has it once.
const SUMS = {
  name: 'tallies_by_step',
  text: `SELECT measure, key, CASE WHEN hour >= $3 THEN date_bin(make_interval(secs => $4), hour,
    'epoch') END AS step,
                sum(amount)::bigint AS amount
           FROM (SELECT measure, key, hour, amount FROM tallies
                  WHERE app_id = $1 AND measure = ANY ($2) AND (hour >= $3 OR measure = ANY ($5))
                 UNION ALL
                 SELECT measure, key, date_trunc('hour', changed_at, 'UTC'), amount FROM tally_changes
                  WHERE app_id = $1 AND measure = ANY ($2)) t
          GROUP BY 1, 2, 3`,
};

/** Sums of measures by step of a window, as of now. */
export async function readTallies(
  { services, appId }: ReadScope,
  measures: readonly string[],
  { from, stepSeconds }: WindowSteps,
): Promise<TallySheet> {
  const rows = await services.database.readAs<SumRow>(appId, SUMS, [
    appId,
    measures,
    from,
    stepSeconds,
    LEVELS,
  ]);
  return new TallySheet(rows);
}
