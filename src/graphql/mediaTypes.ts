const GRAPHQL = 'application/graphql-response+json';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const GRAPHQL_TYPE = `${GRAPHQL}; charset=utf-8`;

/** Whether a client knows GraphQL's own media type, by which statuses tell of request errors (GraphQL over HTTP, 6.4). */
export function takesGraphqlResponse(accept: string | null | undefined): boolean {
  return (accept ?? '').includes(GRAPHQL);
}
