import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** GraphQL's own media type, with which statuses tell of refused operations (GraphQL over HTTP, 6.4). */
export const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** The media type of the answer that a client takes; undefined where it takes neither. */
export function mediaTypeFor(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '') return JSON_TYPE;
  return new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, GRAPHQL_TYPE]);
}
