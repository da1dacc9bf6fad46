import pg from 'pg';

/** What pg is given: a text, a configuration with one, or a query object with one. */
type Given = string | { text?: string };

/**
 * Notes the text of every statement that clients of this process send, until `stop` gives the distinct ones.
 */
export function collectStatements(): { stop: () => string[] } {
  const seen = new Set<string>();
  const prototype = pg.Client.prototype as unknown as {
    query: (given: Given, ...rest: unknown[]) => unknown;
  };
  const { query } = prototype;
  prototype.query = function noting(this: unknown, given: Given, ...rest: unknown[]): unknown {
    const text = typeof given === 'string' ? given : given.text;
    if (text !== undefined) seen.add(text);
    return query.call(this, given, ...rest);
  };
  return {
    stop: () => {
      prototype.query = query;
      return [...seen];
    },
  };
}
