/**
 * Texts that get a name; later ones run unnamed, so that a text made anew each time cannot fill every
 * connection's memory.
 */
const MAX_NAMES = 500;

const names = new Map<string, string>();

/**
 * The name under which connections keep a statement prepared, the same for the same text; undefined when all
 * are given.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}
