import type { Connection } from '../../schema/connection.js';
import type { Entry } from '../../schema/types/Entry.js';
import { READ_ENTRY_COLUMNS, toEntry } from '../../entities/EntryEntity.js';
import type { ReadEntryRow } from '../../entities/EntryEntity.js';
import type { Query } from '../database/Database.js';
import { StoredJson } from '../documents/FreeForm.js';
import { askedKey } from '../domain/catalog/filterKey.js';
import type { AskedKey } from '../domain/catalog/filterKey.js';
import type { OntologyField } from '../domain/catalog/Ontology.js';
import type { JsonObject, JsonValue } from '../domain/jsonValue.js';
import { canonicalJson } from '../domain/canonicalJson.js';
import { ServiceError } from '../errors.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { loadOntologyRow } from './loadOntologies.js';
import { PageWindow } from './page.js';
import type { PageRequest } from './page.js';
import { readTimePosition, timePosition } from './timePosition.js';

const MAPPED = `SELECT ${READ_ENTRY_COLUMNS} FROM entries e
  JOIN ontologies o ON o.ontology_id = e.ontology_id`;
const AFTER = `($2::timestamptz IS NULL OR (e.created_at, e.entry_id) < ($2, $3)) ORDER BY e.created_at DESC, e.entry_id DESC LIMIT $4`;

const BY_ID = { name: 'entry_by_id', text: `${MAPPED} WHERE e.app_id = $1 AND e.entry_id = $2` };
const LIST = { name: 'entries_list', text: `${MAPPED} WHERE e.app_id = $1 AND ${AFTER}` };
const OF_ONTOLOGY = {
  name: 'entries_of_ontology',
  text: `${MAPPED} WHERE e.app_id = $1 AND e.ontology_id = $5 AND ${AFTER}`,
};

const COUNT = { name: 'entries', text: 'SELECT FROM entries WHERE app_id = $1' };
const COUNT_OF_ONTOLOGY = { name: 'entries_of_one', text: `${COUNT.text} AND ontology_id = $2` };

/** Maximum fields in a filter. */
const MAX_FILTERS = 10;

export async function loadEntry({ services, appId }: ReadScope, id: string): Promise<Entry | undefined> {
  const [row] = await services.database.readAs<ReadEntryRow>(appId, BY_ID, [appId, id]);
  return row === undefined ? undefined : readEntry(row);
}

function readEntry(row: ReadEntryRow): Entry {
  return toEntry(row, new StoredJson(row.fields));
}

/** Entries, newest first; optionally of an ontology, and of these with the given field values. */
export async function listEntries(
  context: ReadScope,
  ontology: string | undefined,
  fields: JsonObject | undefined,
  request: PageRequest,
): Promise<Connection<Entry>> {
  const { services, appId } = context;
  const asked = Object.entries(fields ?? {});
  if (asked.length > MAX_FILTERS) throw invalidFilter('fields', `may name at most ${MAX_FILTERS} fields`);
  const { listed, counted, filters, values: given } = await queriesOf(context, ontology, asked);
  const filter = ontology === undefined ? {} : { filter: canonicalJson([ontology, given]) };
  const scope = { appId, list: 'entries', ...filter };
  const page = new PageWindow(services.secrets, scope, request);
  const values = [appId, ...readTimePosition(page.after), page.limit, ...filters];
  const rows = await services.database.readAs<ReadEntryRow>(appId, listed, values);
  const read = (row: ReadEntryRow) => ({
    position: timePosition(row.created_at, row.entry_id),
    node: readEntry(row),
  });
  return page.toPage(rows, read, countUpTo(context, counted, [appId, ...filters]));
}

interface EntryQueries {
  /** Parameters: app, position, limit, then the filters. */
  listed: Query;
  /** Parameters: app, then the filters. */
  counted: Query;
  filters: unknown[];
  /** The requested field values, each in one spelling. */
  values: JsonObject;
}

async function queriesOf(
  context: ReadScope,
  ontology: string | undefined,
  asked: [string, JsonValue][],
): Promise<EntryQueries> {
  if (ontology === undefined) {
    if (asked.length > 0) throw invalidFilter('ontology', 'is required to filter by fields');
    return { listed: LIST, counted: COUNT, filters: [], values: {} };
  }
  const known = asked.length === 0 ? undefined : await loadOntologyRow(context, ontology);
  // An unknown ontology has no entries, whatever the fields.
  if (known === undefined) {
    const values = Object.fromEntries(asked);
    return { listed: OF_ONTOLOGY, counted: COUNT_OF_ONTOLOGY, filters: [ontology], values };
  }
  const read = readFilters(known.fields, asked);
  const filters = [ontology, ...read.flatMap(({ slot, key }) => [slot, key])];
  const values = Object.fromEntries(read.map(({ name, value }) => [name, value]));
  return { listed: filtered(read.length), counted: countFiltered(read.length), filters, values };
}

/**
 * Entries by the filter index. The first filter reads the index in list order; the others are looked up. The
 * generation comes from the snapshot of its rows, so a rebuild may switch at any time.
 */
function filtered(count: number): Query {
  const text = `
    SELECT ${READ_ENTRY_COLUMNS}
      FROM ${indexed(count, 5)}
      JOIN entries e ON e.app_id = $1 AND e.entry_id = lead.entry_id
      JOIN ontologies o ON o.ontology_id = e.ontology_id
     WHERE i.app_id = $1 AND i.ontology_id = $5
       AND ($2::timestamptz IS NULL OR (lead.created_at, lead.entry_id) < ($2, $3))
     ORDER BY lead.created_at DESC, lead.entry_id DESC LIMIT $4`;
  return { name: `entries_filtered_${count}`, text };
}

function countFiltered(count: number): Query {
  return {
    name: `entries_filtered_${count}`,
    text: `SELECT FROM ${indexed(count, 2)} WHERE i.app_id = $1 AND i.ontology_id = $2`,
  };
}

/**
 * The index `i` with the first filter's rows, the others as conditions; parameters from the ontology's on.
 */
function indexed(count: number, ontologyAt: number): string {
  const ontology = `$${ontologyAt}`;
  const others = Array.from({ length: count - 1 }, (_, index) => {
    const at = ontologyAt + 3 + index * 2;
    return `AND EXISTS (SELECT FROM entry_filters f WHERE f.app_id = $1 AND f.ontology_id = ${ontology} AND f.generation = i.generation
              AND f.slot = $${at} AND f.value_key = $${at + 1} AND f.created_at = lead.created_at AND f.entry_id = lead.entry_id)`;
  });
  return `entry_indexes i
      JOIN entry_filters lead ON lead.app_id = $1 AND lead.ontology_id = ${ontology} AND lead.generation = i.generation
       AND lead.slot = $${ontologyAt + 1} AND lead.value_key = $${ontologyAt + 2} ${others.join(' ')}`;
}

interface FieldFilter extends AskedKey {
  name: string;
  slot: string;
}

function readFilters(map: readonly OntologyField[], asked: [string, JsonValue][]): FieldFilter[] {
  return asked.map(([name, value]) => {
    const field = map.find((candidate) => candidate.name === name);
    if (field === undefined) throw invalidFilter(`fields[${name}]`, 'is not a field of this ontology');
    const result = askedKey(field.type, value);
    if ('problem' in result) throw invalidFilter(`fields[${name}]`, result.problem);
    return { ...result, name, slot: field.slot };
  });
}

function invalidFilter(field: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `The filter is not valid: ${field} ${message}.`, {
    details: [{ code: 'invalid_filter', message, field }],
  });
}
