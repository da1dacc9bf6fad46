import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** GraphQL's own media type, whose answers state refused operations by status (GraphQL over HTTP, 6.4). */
export const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** The media type of the answer by the client's `Accept`; undefined when it accepts neither. */
export function mediaTypeFor(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '') return JSON_TYPE;
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]);
}
