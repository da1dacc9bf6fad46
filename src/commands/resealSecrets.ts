import type { Database, Query } from '../database/Database.js';
import type { SecretBox } from '../domain/SecretBox.js';

/** A column of sealed text. */
interface SealedColumn {
  name: string;
  table: string;
  key: string;
  column: string;
  /** Whether its table has row level security. */
  ofApp?: true;
  /** Which of its rows have sealed text; without it, all. */
  filter?: string;
}

/** Rows that one statement reads. */
const BATCH = 100;

/** Passes over a column: a row that a running service wrote meanwhile is read again in the next one. */
const MAX_PASSES = 20;

const COLUMNS: readonly SealedColumn[] = [
  { name: 'signing keys', table: 'signing_keys', key: 'key_id', column: 'sealed' },
  { name: 'OAuth artifacts', table: 'oauth_artifacts', key: 'id_hash', column: 'payload' },
  { name: 'sessions of pages', table: 'graphiql_sessions', key: 'token_hash', column: 'sealed' },
  { name: 'mails', table: 'mails', key: 'mail_id', column: 'sealed' },
  { name: 'webhook secrets', table: 'webhook_endpoints', key: 'endpoint_id', column: 'secret', ofApp: true },
  {
    name: 'webhook secrets before those',
    table: 'webhook_endpoints',
    key: 'endpoint_id',
    column: 'previous_secret',
    ofApp: true,
  },
  {
    name: 'answers kept for replay',
    table: 'idempotency_keys',
    key: 'key',
    column: 'result',
    ofApp: true,
    filter: 'AND t.sealed',
  },
];

/** Reads rows in key order, after a key. */
function reading({ table, key, column, ofApp, filter = '' }: SealedColumn): string {
  return `SELECT t.${key} AS id, t.${column} AS sealed FROM ${table} t
    WHERE t.${key} > $1 AND t.${column} IS NOT NULL ${filter} ${ofApp ? 'AND t.app_id = $3' : ''}
    ORDER BY t.${key} LIMIT $2`;
}

/** Replaces texts that are as they were read. */
function writing({ table, key, column, ofApp, filter = '' }: SealedColumn): string {
  return `UPDATE ${table} t SET ${column} = n.fresh
     FROM unnest($1::text[], $2::text[], $3::text[]) AS n (id, was, fresh)
    WHERE t.${key} = n.id AND t.${column} = n.was ${filter} ${ofApp ? 'AND t.app_id = $4' : ''}`;
}

export interface Resealed {
  /** Texts that were encrypted again. */
  sealed: number;
  /** Texts that no key can decrypt; they stay unchanged. */
  unreadable: number;
  /** Texts that a running service still encrypts with another key. */
  left: number;
}

/**
 * Encrypts every stored secret with the box's first key. A text is replaced only if it is unchanged since it
 * was read, and all keys can decrypt it before and after. So this may be killed at any moment, run twice, or
 * run beside the service.
 *
 * @param scopes the apps, and `admin`, whose stored answers are separate
 */
export async function resealSecrets(
  database: Database,
  box: SecretBox,
  scopes: readonly string[],
  tell: (progress: string) => void = () => undefined,
): Promise<Resealed> {
  const done: Resealed = { sealed: 0, unreadable: 0, left: 0 };
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const round = { sealed: 0, unreadable: 0, left: 0 };
    for (const column of COLUMNS) {
      for (const scope of column.ofApp ? scopes : [undefined]) {
        const { sealed, unreadable, left } = await resealColumn(database, box, column, scope);
        round.sealed += sealed;
        round.unreadable += unreadable;
        round.left += left;
        if (sealed > 0) tell(`${column.name}: ${sealed}`);
      }
    }
    done.sealed += round.sealed;
    done.unreadable = round.unreadable;
    done.left = round.left;
    // A last pass that finds nothing proves that texts sealed meanwhile use the first key too.
    if (round.sealed === 0 && round.left === 0) return done;
  }
  return done;
}

interface SealedRow {
  id: string;
  sealed: string;
}

async function resealColumn(
  database: Database,
  box: SecretBox,
  column: SealedColumn,
  scope: string | undefined,
): Promise<Resealed> {
  const done: Resealed = { sealed: 0, unreadable: 0, left: 0 };
  const own = scope === undefined ? [] : [scope];
  const query: Query = { name: `reseal_${column.name.replaceAll(' ', '_')}`, text: reading(column) };
  for (let after = ''; ;) {
    const values = [after, BATCH, ...own];
    const rows =
      scope === undefined
        ? await database.read<SealedRow>(query, values)
        : await database.readAs<SealedRow>(scope, query, values);
    const fresh = rows.map((row) => ({ ...row, fresh: resealed(box, row.sealed) }));
    done.unreadable += fresh.filter((row) => row.fresh === UNREADABLE).length;
    const due = fresh.filter((row) => typeof row.fresh === 'string');
    if (due.length > 0) {
      const lists = [due.map(({ id }) => id), due.map(({ sealed }) => sealed), due.map((row) => row.fresh)];
      const written = await database.transaction(scope ?? null, (tx) =>
        tx.execute(writing(column), [...lists, ...own]),
      );
      done.sealed += written;
      done.left += due.length - written;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return done;
    after = last.id;
  }
}

const UNREADABLE = Symbol('unreadable');

function resealed(box: SecretBox, text: string): string | undefined | typeof UNREADABLE {
  try {
    return box.reseal(text);
  } catch {
    return UNREADABLE;
  }
}
