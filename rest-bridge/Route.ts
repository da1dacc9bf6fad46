/**
 * One operation of `/v1`, as data: a field of the schema, and the part of its value that is the answer.
 * Arguments of the field are bound by their names in REST spelling: from the path (`id` is its first
 * parameter), the query (`limit` and `cursor` are `first` and `after`), the header (`idempotency_key`) and
 * the body (`input`).
 */
export interface Route {
  /** The GraphQL operation, which is also the OpenAPI operation id. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with `:name` parameters, below the base URL. */
  path: string;
  /** The success status, by default 200; `upsert`: it depends on the result's `status` (`created` is 201). */
  success?: 201 | 202 | 204 | 'upsert';
  /** The root field, when its name differs from the operation. */
  field?: string;
  /** The selection of the answer, in GraphQL names; `...Type` stands for all plain members of the type. */
  select: string;
  /** The `Location` header; `{name}` is a member of the answer. */
  location?: string;
  /** Maximum body size in bytes, by default 1 MiB. */
  bodyLimit?: number;
  /** Content types of the body in addition to `application/json`. */
  accepts?: readonly string[];
  /** Whether the body may be omitted. */
  optionalBody?: boolean;
  summary: string;
}

/** Maximum body size of a batch in bytes (docs/contract.md#errors). */
export const BATCH_BODY_LIMIT = 4 * 1024 * 1024;

/** Selects a page of a list. @param node the selection of each item */
export function pageOf(node: string): string {
  return `data: nodes { ${node} } pagination: pageInfo { has_more: hasNextPage nextCursor }`;
}

export function fieldOf({ method, operation, field = operation }: Route): {
  type: 'query' | 'mutation';
  name: string;
} {
  return { type: method === 'GET' ? 'query' : 'mutation', name: field };
}

/** The parameters of a route's path, in order. */
export function pathNamesOf({ path }: Pick<Route, 'path'>): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
