/**
 * One path of `/v1`, as data. Variables of the document bind by name: from the path, the query (`limit`,
 * `cursor`, filters), the header (`idempotency_key`) and the body (`input`). Snake-case names are aliases in
 * the document. The answer is the document's field `result`.
 */
export interface Route {
  /** The GraphQL operation, which is also the OpenAPI operation id. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express path with `:name` parameters, below the base URL. */
  path: string;
  /** The success status; or where the result's `status` decides (`created` is 201). */
  success: 200 | 201 | 202 | 204 | 'upsert';
  /** In it, `...Type` stands for every plain member of the type. */
  document: string;
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

/** The page part of every list. */
export const PAGINATION = 'pagination: pageInfo { has_more: hasNextPage next_cursor: nextCursor }';
