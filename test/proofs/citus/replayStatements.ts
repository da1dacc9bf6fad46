import pg from 'pg';
import type { SentStatement } from '../../support/recordStatements.js';
import { insertsSharedRows } from '../../conventions/sql/examineStatement.js';
import { explainStatement } from './explainStatement.js';

/** Statements that ask every shard, each with its reason; whoever sends them is prepared for a lost node. */
const ACROSS_APPS: readonly [RegExp, string][] = [
  [/SELECT (app_id, subject|DISTINCT app_id) FROM work_queue/, 'looks for work of all apps'],
  [/FROM work_queue (GROUP BY|WHERE queue = '(learning|outbox)')/, 'metrics of the queue'],
  [/ FROM connection_links .*session_id = \$\d/, 'the link that a person opens names no app'],
  [/ FROM account_links .*account_id = (\$\d|ANY)/, 'the apps of a person'],
];

const STATEMENT = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
const HOUSEKEEPING = /^SELECT (1$|set_config\(|pg_notify\()/;

export interface Replayed {
  /** Statements that are one task on one shard, or stay on the coordinator. */
  fitting: number;
  /** Statements that ask every shard, by their reason. */
  across: Map<string, number>;
  /** All others, and why. */
  deviating: string[];
}

/** Plans every recorded statement as the service's role. */
export async function replayStatements(
  serviceUrl: string,
  statements: readonly SentStatement[],
): Promise<Replayed> {
  const replayed: Replayed = { fitting: 0, across: new Map(), deviating: [] };
  const client = new pg.Client({ connectionString: serviceUrl });
  await client.connect();
  try {
    for (const sent of statements) {
      if (!STATEMENT.test(sent.text) || HOUSEKEEPING.test(sent.text)) continue;
      const text = sent.text.replaceAll(/\s+/g, ' ');
      const [, reason] = ACROSS_APPS.find(([pattern]) => pattern.test(text)) ?? [];
      if (reason !== undefined) replayed.across.set(reason, (replayed.across.get(reason) ?? 0) + 1);
      else await plan(client, sent, text, replayed);
    }
  } finally {
    await client.end();
  }
  return replayed;
}

async function plan(client: pg.Client, sent: SentStatement, text: string, replayed: Replayed): Promise<void> {
  try {
    const { tasks, nodes } = await explainStatement(client, sent);
    const shares = await insertsSharedRows(sent.text);
    if (tasks <= 1 && nodes <= 1 && !shares) replayed.fitting += 1;
    else
      replayed.deviating.push(
        `${tasks} tasks on ${nodes} nodes${shares ? ', rows sent to all' : ''}: ${text}`,
      );
  } catch (error) {
    replayed.deviating.push(`${error instanceof Error ? error.message : String(error)}: ${text}`);
  }
}
