import { pageOf } from '../Route.js';
import type { Route } from '../Route.js';

const ENTRY = `entryId ontology entryName ownerId ingestionOrigin value imageUploadStatus
  media { primaryImage gallery } fields checksum createdAt updatedAt`;

export const entryRoutes: readonly Route[] = [
  {
    operation: 'createEntry',
    method: 'POST',
    path: '/v1/entries',
    success: 'upsert',
    location: '/v1/entries/{entry.entry_id}',
    summary: 'Create or update a catalog entry',
    select: `status entry { ${ENTRY} }`,
  },
  {
    operation: 'listEntries',
    method: 'GET',
    path: '/v1/entries',
    summary: 'List entries, by ontology and field values',
    field: 'entries',
    select: pageOf(ENTRY),
  },
  {
    operation: 'getEntry',
    method: 'GET',
    path: '/v1/entries/:entry_id',
    summary: 'Read an entry',
    field: 'entry',
    select: ENTRY,
  },
  {
    operation: 'replaceEntry',
    method: 'PUT',
    path: '/v1/entries/:entry_id',
    summary: 'Replace a catalog entry',
    select: `status entry { ${ENTRY} }`,
  },
];
