import type { TypedDocumentString } from './gql/graphql.js';

export interface GraphqlError {
  message: string;
  extensions: { code: string; requestId: string };
}

export interface Result<T> {
  data: T;
  errors: GraphqlError[];
}

/**
 * Sends one typed operation. Errors beside data are the caller's to look at: a denied field is null with a
 * code.
 */
export async function execute<T, V>(
  api: string,
  token: string,
  document: TypedDocumentString<T, V>,
  variables: V,
): Promise<Result<T>> {
  const response = await fetch(`${api}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors = [] } = (await response.json()) as { data: T; errors?: GraphqlError[] };
  return { data, errors };
}
