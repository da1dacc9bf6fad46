import type { SpanStart } from './tracing.js';

/** Statements have few texts; of more the rest is described anew each time. */
const MAX_KEPT = 1000;

const summaries = new Map<string, string>();

/** The span of a statement, by its name. */
export function statementSpan(name: string): SpanStart {
  return { name, kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name } };
}

/**
 * What a statement without a name does to which table, such as `UPDATE customer_heads`; none of its values.
 */
export function summaryOf(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const [, verb = 'SQL', table = ''] =
    /\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/.exec(text) ??
    /\b(SELECT)\b[\s\S]*?\bFROM\s+(\w+)/.exec(text) ??
    [];
  const summary = `${verb.replace(/ (INTO|FROM)$/, '')} ${table}`.trim();
  if (summaries.size < MAX_KEPT) summaries.set(text, summary);
  return summary;
}
