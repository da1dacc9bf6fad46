import { PAGINATION } from '../Route.js';
import type { Route } from '../Route.js';

const ENTRY = `entry_id: entryId ontology entry_name: entryName owner_id: ownerId ingestion_origin: ingestionOrigin value
  image_upload_status: imageUploadStatus media { primary_image: primaryImage gallery } fields checksum
  created_at: createdAt updated_at: updatedAt`;

export const entryRoutes: readonly Route[] = [
  {
    operation: 'createEntry',
    method: 'POST',
    path: '/v1/entries',
    success: 'upsert',
    location: '/v1/entries/{entry.entry_id}',
    summary: 'Create or update a catalog entry',
    document: `mutation createEntry($idempotency_key: String!, $input: CreateEntryInput!) {
      result: createEntry(idempotencyKey: $idempotency_key, input: $input) { status entry { ${ENTRY} } } }`,
  },
  {
    operation: 'listEntries',
    method: 'GET',
    path: '/v1/entries',
    success: 200,
    summary: 'List entries, by ontology and field values',
    document: `query listEntries($ontology: ID, $fields: JSONObject, $limit: Int, $cursor: String) {
      result: entries(ontology: $ontology, fields: $fields, first: $limit, after: $cursor) {
        data: nodes { ${ENTRY} } ${PAGINATION} } }`,
  },
  {
    operation: 'getEntry',
    method: 'GET',
    path: '/v1/entries/:entry_id',
    success: 200,
    summary: 'Read an entry',
    document: `query getEntry($entry_id: ID!) { result: entry(id: $entry_id) { ${ENTRY} } }`,
  },
  {
    operation: 'replaceEntry',
    method: 'PUT',
    path: '/v1/entries/:entry_id',
    success: 200,
    summary: 'Replace a catalog entry',
    document: `mutation replaceEntry($entry_id: ID!, $idempotency_key: String!, $input: ReplaceEntryInput!) {
      result: replaceEntry(id: $entry_id, idempotencyKey: $idempotency_key, input: $input) {
        status entry { ${ENTRY} } } }`,
  },
];
