/** The longest that an answer may take; PostgreSQL works on one statement for eight seconds. */
const ANSWER_MS = 15_000;

/** A request that is never answered fails in the end, as one does that cannot be sent. */
export function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const overdue = new AbortController();
  setTimeout(() => overdue.abort(), ANSWER_MS);
  init.signal?.addEventListener('abort', () => overdue.abort());
  return fetch(input, { ...init, signal: overdue.signal });
}
