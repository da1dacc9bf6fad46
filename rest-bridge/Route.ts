/**
 * One path of `/v1`, as data: a field of the schema, and what of its value is the answer. Arguments of the
 * field bind by their names in REST's spelling: from the path (`id` is its first parameter), the query
 * (`limit` and `cursor` are `first` and `after`), the header (`idempotency_key`) and the body (`input`).
 */
export interface Route {
  /** The GraphQL operation, which is also the OpenAPI operation id. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path with `:name` parameters, below the base URL. */
  path: string;
  /** The success status, 200 unless given; or that the result's `status` decides (`created` is 201). */
  success?: 201 | 202 | 204 | 'upsert';
  /** The root field, where it is not named as the operation. */
  field?: string;
  /** What the answer has of it, by GraphQL's names; `...Type` stands for every plain member of the type. */
  select: string;
  /** Where the `Location` header points; `{name}` is a member of the answer. */
  location?: string;
  /** Largest body in bytes; 1 MiB unless given. */
  bodyLimit?: number;
  /** Content types of the body beside `application/json`. */
  accepts?: readonly string[];
  /** A body may be left out altogether. */
  optionalBody?: boolean;
  summary: string;
}

/** Largest body of a batch (docs/contract.md#errors). */
export const BATCH_BODY_LIMIT = 4 * 1024 * 1024;

/** Selects a page of a list. @param node what is selected of each item */
export function pageOf(node: string): string {
  return `data: nodes { ${node} } pagination: pageInfo { has_more: hasNextPage nextCursor }`;
}

/** The root field of a route. */
export function fieldOf({ method, operation, field = operation }: Route): {
  type: 'query' | 'mutation';
  name: string;
} {
  return { type: method === 'GET' ? 'query' : 'mutation', name: field };
}

/** The parameters of a route's path, in their order. */
export function pathNamesOf({ path }: Route): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
