import type { CombinedError } from 'urql';

/** What went wrong with a request, as the service tells it. */
export interface Failure {
  /** A code of the service such as `CONSENT_DENIED`; `NETWORK` when no answer came. */
  code: string;
  message: string;
  requestId?: string;
  missingScopes?: readonly string[];
  gate?: string;
  purpose?: string;
  details: readonly { code: string; message: string; field?: string }[];
}

/** The first failure of a request; `field` asks for that of one field of the operation. */
export function failureOf(error: CombinedError | undefined, field?: string): Failure | undefined {
  if (error === undefined) return undefined;
  if (error.networkError !== undefined) {
    return { code: 'NETWORK', message: error.networkError.message, details: [] };
  }
  const found = error.graphQLErrors.find(
    ({ path }) => field === undefined || path?.[path.length - 1] === field,
  );
  if (found === undefined) return undefined;
  const facts = found.extensions as Partial<Failure>;
  return {
    ...facts,
    code: facts.code ?? 'INTERNAL_ERROR',
    message: found.message,
    details: facts.details ?? [],
  };
}
