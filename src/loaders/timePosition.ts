/** The position of an item in a list ordered by creation, then id. */
export function timePosition(createdAt: string, id: string): string {
  return `${createdAt}/${id}`;
}

/** Time and id of a position; nulls for the start of the list. */
export function readTimePosition(after: string | number | null): [string | null, string | null] {
  if (after === null) return [null, null];
  const text = String(after);
  const slash = text.indexOf('/');
  return [text.slice(0, slash), text.slice(slash + 1)];
}
