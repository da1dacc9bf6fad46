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

/**
 * What is wrong with each field of the input, for the form to show beside it, in the words for its code if
 * there are any. A list's items are lines of one field; `inLine` says which.
 */
export function fieldErrors(
  failure: Failure | undefined,
  words: Readonly<Record<string, string>>,
  inLine: (line: number, message: string) => string,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { field = '', code, message } of failure?.details ?? []) {
    const text = words[code] ?? message;
    const [, name = '', index] = /^(\w*)(?:\[(\d+)\])?/.exec(field) ?? [];
    (errors[name] ??= []).push(index === undefined ? text : inLine(Number(index) + 1, text));
  }
  return errors;
}

/**
 * The first failure of a request; `field` asks for that of one field of the operation. A failure without a
 * path is the whole request's.
 */
export function failureOf(error: CombinedError | undefined, field?: string): Failure | undefined {
  if (error === undefined) return undefined;
  if (error.networkError !== undefined) {
    return { code: 'NETWORK', message: error.networkError.message, details: [] };
  }
  const found = error.graphQLErrors.find(
    ({ path }) => field === undefined || path === undefined || path[path.length - 1] === field,
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
