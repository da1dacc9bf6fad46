import pg from 'pg';

/** A statement as the service sent it. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
  /** The app that its transaction named; absent: none. */
  appId?: string;
}

interface Asked {
  preambles: readonly { text: string; values: unknown }[];
  statement: { text: string };
  values: unknown;
}

/** What pg is given: a text, a configuration with one, or a group of statements. */
type Given = string | { text?: string; values?: unknown; group?: readonly Asked[] };

interface PooledClient {
  connectionParameters: { application_name?: string };
}

const NAMES_APP = /^SET LOCAL consent\.app_id = '(.*)'$|^SELECT set_config\('consent\.app_id', \$1/;
const ENDS_TRANSACTION = /^(COMMIT|ROLLBACK)$/;

/** Of its pools (src/database/Database.ts); tests look into the database by clients of their own. */
const SERVICE = 'consent-profile-service';

/**
 * Notes one example of every statement that services in this process send, until `stop` gives them: of each
 * text one that had an app, where there was one.
 */
export function recordStatements(): { stop: () => SentStatement[] } {
  const seen = new Map<string, SentStatement>();
  const apps = new WeakMap<object, string>();
  const prototype = pg.Client.prototype as unknown as {
    query: (given: Given, ...rest: unknown[]) => unknown;
  };
  const { query } = prototype;
  const note = (client: object, text: string, values: unknown): void => {
    const given = Array.isArray(values) ? (values as unknown[]) : [];
    const [, named] = NAMES_APP.exec(text) ?? [];
    if (NAMES_APP.test(text)) apps.set(client, named ?? String(given[0]));
    if (ENDS_TRANSACTION.test(text)) apps.delete(client);
    const appId = apps.get(client);
    if (appId !== undefined || !seen.has(text))
      seen.set(text, { text, values: given, ...(appId ? { appId } : {}) });
  };
  prototype.query = function noting(this: PooledClient, given: Given, ...rest: unknown[]): unknown {
    if (this.connectionParameters.application_name !== SERVICE) return query.call(this, given, ...rest);
    const { text = '', values = rest[0], group = [] } = typeof given === 'string' ? { text: given } : given;
    if (group.length === 0) note(this, text, values);
    for (const asked of group) {
      for (const preamble of asked.preambles) note(this, preamble.text, preamble.values);
      note(this, asked.statement.text, asked.values);
      // A statement in the message group of `set_config` alone is a transaction of its own; one without
      // preambles is of the transaction that is open.
      const [first] = asked.preambles;
      if (first !== undefined && first.text !== 'BEGIN') apps.delete(this);
    }
    return query.call(this, given, ...rest);
  };
  return {
    stop: () => {
      prototype.query = query;
      return [...seen.values()];
    },
  };
}
