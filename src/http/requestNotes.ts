import type { ServerResponse } from 'node:http';

/** What the doors found out of a request, for its line in the log. Nothing of its body, nobody's data. */
export interface RequestNotes {
  appId?: string;
  /** The REST operation, or the root fields of the GraphQL operation. */
  operation?: string;
  /** The first error's code. */
  code?: string;
  /** An event stream: it takes as long as the client likes. */
  isStream?: boolean;
}

interface Noted extends ServerResponse {
  notes?: RequestNotes;
}

/** The notes of a request, kept with its answer. */
export function notesOf(response: ServerResponse): RequestNotes {
  return ((response as Noted).notes ??= {});
}
