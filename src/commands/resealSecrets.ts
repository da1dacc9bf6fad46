import type { Database, Query, Row } from '../database/Database.js';
import type { SecretBox } from '../domain/SecretBox.js';

/** A column of sealed text, with statements that read its rows in key order and replace unchanged ones. */
interface SealedColumn {
  name: string;
  /** Whether its table has row level security. */
  ofApp: boolean;
  read: string;
  write: string;
}

/** Rows that one statement reads. */
const BATCH = 100;

/** Passes over a column: a row that a running service wrote meanwhile is read again in the next one. */
const MAX_PASSES = 20;

const ROWS = `unnest($1::text[], $2::text[], $3::text[]) AS n (id, was, fresh)`;
const APP_ROWS = `unnest($2::text[], $3::text[], $4::text[]) AS n (id, was, fresh)`;

const COLUMNS: readonly SealedColumn[] = [
  {
    name: 'signing keys',
    ofApp: false,
    read: 'SELECT key_id AS id, sealed FROM signing_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2',
    write: `UPDATE signing_keys t SET sealed = n.fresh FROM ${ROWS} WHERE t.key_id = n.id
      AND t.sealed = n.was`,
  },
  {
    name: 'OAuth artifacts',
    ofApp: false,
    read: 'SELECT id_hash AS id, payload AS sealed FROM oauth_artifacts WHERE id_hash > $1 ORDER BY id_hash LIMIT $2',
    write: `UPDATE oauth_artifacts t SET payload = n.fresh FROM ${ROWS} WHERE t.id_hash = n.id
      AND t.payload = n.was`,
  },
  {
    name: 'sessions of pages',
    ofApp: false,
    read: 'SELECT token_hash AS id, sealed FROM graphiql_sessions WHERE token_hash > $1 ORDER BY token_hash LIMIT $2',
    write: `UPDATE graphiql_sessions t SET sealed = n.fresh FROM ${ROWS} WHERE t.token_hash = n.id
      AND t.sealed = n.was`,
  },
  {
    name: 'mails',
    ofApp: false,
    read: 'SELECT mail_id AS id, sealed FROM mails WHERE mail_id > $1 ORDER BY mail_id LIMIT $2',
    write: `UPDATE mails t SET sealed = n.fresh FROM ${ROWS} WHERE t.mail_id = n.id AND t.sealed = n.was`,
  },
  {
    name: 'webhook secrets',
    ofApp: true,
    read: `SELECT endpoint_id AS id, secret AS sealed FROM webhook_endpoints
            WHERE app_id = $1 AND endpoint_id > $2 ORDER BY endpoint_id LIMIT $3`,
    write: `UPDATE webhook_endpoints t SET secret = n.fresh FROM ${APP_ROWS}
             WHERE t.app_id = $1 AND t.endpoint_id = n.id AND t.secret = n.was`,
  },
  {
    name: 'webhook secrets before those',
    ofApp: true,
    read: `SELECT endpoint_id AS id, previous_secret AS sealed FROM webhook_endpoints
            WHERE app_id = $1 AND endpoint_id > $2 AND previous_secret IS NOT NULL ORDER BY endpoint_id
              LIMIT $3`,
    write: `UPDATE webhook_endpoints t SET previous_secret = n.fresh FROM ${APP_ROWS}
             WHERE t.app_id = $1 AND t.endpoint_id = n.id AND t.previous_secret = n.was`,
  },
  {
    name: 'answers kept for replay',
    ofApp: true,
    read: `SELECT key AS id, result AS sealed FROM idempotency_keys
            WHERE app_id = $1 AND key > $2 AND sealed AND result IS NOT NULL ORDER BY key LIMIT $3`,
    write: `UPDATE idempotency_keys t SET result = n.fresh FROM ${APP_ROWS}
             WHERE t.app_id = $1 AND t.key = n.id AND t.sealed AND t.result = n.was`,
  },
];

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

interface SealedRow extends Row {
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
  const query: Query = { name: `reseal_${column.name.replaceAll(' ', '_')}`, text: column.read };
  for (let after = ''; ;) {
    const values = [...own, after, BATCH];
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
        tx.execute(column.write, [...own, ...lists]),
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
