/**
 * Maximum number of named statements. Later ones run unnamed, so that generated texts cannot fill every
 * connection's memory.
 */
const MAX_NAMES = 500;

const names = new Map<string, string>();

/** The prepared statement's name, equal for equal texts; undefined when all names are taken. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}
