import type { SpanStart } from './tracing.js';

/** Maximum cached summaries. Statements have few texts; further ones are summarized each time. */
const MAX_KEPT = 1000;

/** A write's verb and table. The `UPDATE` of a lock clause (`FOR UPDATE`, `FOR NO KEY UPDATE`) is none. */
const WRITE = /(?<!\b(?:FOR|KEY)\s+)\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/;

const summaries = new Map<string, string>();

/** The span of a named statement. */
export function statementSpan(name: string): SpanStart {
  return { name, kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name } };
}

/**
 * The summary of an unnamed statement: its verb and table, such as `UPDATE customer_heads`, without values.
 */
export function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const [, verb = 'SQL', table = ''] =
    WRITE.exec(text) ?? /\b(SELECT)\b[\s\S]*?\bFROM\s+(\w+)/.exec(text) ?? [];
  const summary = `${verb.replace(/ (INTO|FROM)$/, '')} ${table}`.trim();
  if (summaries.size < MAX_KEPT) summaries.set(text, summary);
  return summary;
}
