import { expect } from 'chai';
import type { Entry } from '../../schema/types/Entry.js';
import type { Ontology } from '../../schema/types/Ontology.js';
import { StoredJson } from '../../src/documents/FreeForm.js';
import { filterEntries } from '../../src/domain/catalog/filterKey.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { canonicalJson } from '../../src/domain/canonicalJson.js';
import type { ServiceError } from '../../src/errors.js';
import { listEntries, loadEntry } from '../../src/loaders/loadEntries.js';
import { listOntologies, loadOntology, loadOntologyRow } from '../../src/loaders/loadOntologies.js';
import { timePosition } from '../../src/loaders/timePosition.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const minute = (at: number): string => `2026-03-01T00:0${at}:00.000Z`;
const AT = minute(0);
const MAP = Array.from({ length: 11 }, (_, place) => ({
  slot: `s${place}`,
  name: `field${place}`,
  type: place === 1 ? ('integer' as const) : ('string' as const),
  required: false,
}));

/** The ontology, the time and the fields by their slots; two are of one time. */
const ENTRIES: Readonly<Record<string, [ontology: string, created: number, slots: JsonObject]>> = {
  ent_1: ['book', 3, { s0: 'x', s1: 1, s2: 'y' }],
  ent_2: ['book', 1, { s0: 'x', s1: 2 }],
  ent_3: ['film', 2, { s0: 'x' }],
  ent_4: ['book', 3, { s0: 'x', s1: 1, s2: 'z' }],
  ent_5: ['book', 2, { s0: 'w', s1: 1 }],
};

describe('The lists of entries and ontologies', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    const ontology = { version: '1', fields: MAP, identity_fields: ['field0'], updated_at: AT };
    await fixture.sql('DELETE FROM ontologies');
    await fixture.insert('ontologies', [
      { ...ontology, ontology_id: 'book', name: 'Book', app_id: '*', created_at: minute(1) },
      { ...ontology, ontology_id: 'film', name: 'Film', created_at: minute(2) },
      { ...ontology, ontology_id: 'song', name: 'Song', created_at: minute(1) },
      { ...ontology, ontology_id: 'game', name: 'Game', app_id: OTHER_APP, created_at: minute(3) },
    ]);
    // What a rebuild left behind, of another generation, does not count.
    await fixture.insert('entry_indexes', [
      { ontology_id: 'book', generation: 2 },
      { ontology_id: 'film', generation: 2 },
    ]);
    for (const [entry_id, [ontology_id, created, fields]] of Object.entries(ENTRIES)) {
      const created_at = minute(created);
      const entry = { entry_id, ontology_id, fields, checksum: 'c', created_at, updated_at: AT };
      await fixture.insert('entries', [entry]);
      const found = filterEntries(MAP, fields).map(({ slot, key: value_key }) => ({ slot, value_key }));
      await fixture.insert(
        'entry_filters',
        found.map((filter) => ({ ...filter, ontology_id, generation: 2, created_at, entry_id })),
      );
    }
    const gone = { ontology_id: 'book', generation: 1, created_at: minute(2), entry_id: 'ent_5' };
    await fixture.insert('entry_filters', [{ ...gone, slot: 's0', value_key: '"x"' }]);
    const foreign = { entry_id: 'ent_1x', ontology_id: 'book', fields: {}, checksum: 'c' };
    await fixture.insert('entries', [{ ...foreign, app_id: OTHER_APP, created_at: AT, updated_at: AT }]);
  });
  after(() => fixture?.stop());

  const list = (ontology?: string, fields?: JsonObject) => ({
    list: (request: object) => listEntries(fixture.context(), ontology, fields, request),
    idOf: ({ entryId }: Entry) => entryId,
    scope: {
      appId: APP,
      list: 'entries',
      ...(ontology === undefined ? {} : { filter: canonicalJson([ontology, fields ?? {}]) }),
    },
  });
  const placed = (...ids: string[]) => ({
    ids,
    positions: ids.map((id) => timePosition(minute(ENTRIES[id]?.[1] ?? 0), id)),
  });

  it('contain entries newest first, with the greater id first at the same time', async () => {
    await expectList(fixture, { ...list(), ...placed('ent_4', 'ent_1', 'ent_5', 'ent_3', 'ent_2') });
    await expectList(fixture, { ...list('book'), ...placed('ent_4', 'ent_1', 'ent_5', 'ent_2') });
    await expectList(fixture, { ...list('none'), ...placed() });
  });

  it('contain the entries whose fields equal all requested values', async () => {
    await expectList(fixture, { ...list('book', { field0: 'x' }), ...placed('ent_4', 'ent_1', 'ent_2') });
    const two = { field0: 'x', field1: 1 };
    await expectList(fixture, { ...list('book', two), ...placed('ent_4', 'ent_1') });
    const three = { field0: 'x', field1: 1, field2: 'y' };
    await expectList(fixture, { ...list('book', three), ...placed('ent_1') });
    await expectList(fixture, { ...list('book', { field1: 3 }), ...placed() });
    await expectList(fixture, { ...list('none', { field0: 'x' }), ...placed() });
  });

  it('use one statement text per number of fields', async () => {
    const names: string[] = [];
    const { database } = fixture.services;
    const reads = database.readAs.bind(database);
    database.readAs = (appId, query, values) => {
      names.push(query.name);
      return reads(appId, query, values);
    };
    try {
      const ten = Object.fromEntries(MAP.slice(1).map(({ name }, place) => [name, place === 0 ? 1 : 'x']));
      for (const fields of [{ field0: 'x' }, ten]) {
        const page = await list('book', fields).list({});
        await page.count();
      }
    } finally {
      database.readAs = reads;
    }
    expect(names.filter((name) => name.startsWith('entries_'))).to.deep.equal([
      'entries_filtered_1',
      'entries_filtered_1_count',
      'entries_filtered_10',
      'entries_filtered_10_count',
    ]);
  });

  it('refuse invalid field filters and name the field', async () => {
    const eleven = Object.fromEntries(MAP.map(({ name }) => [name, 'x']));
    const wrong: [string | undefined, JsonObject, string, string][] = [
      [undefined, { field0: 'x' }, 'ontology', 'is required to filter by fields'],
      ['book', { other: 'x' }, 'fields[other]', 'is not a field of this ontology'],
      ['book', { field1: 'x' }, 'fields[field1]', 'is not a value of this field'],
      ['book', eleven, 'fields', 'may name at most 10 fields'],
      ['unknown', eleven, 'fields', 'may name at most 10 fields'],
    ];
    for (const [ontology, fields, field, message] of wrong) {
      const error = (await list(ontology, fields)
        .list({})
        .catch((thrown: unknown) => thrown)) as ServiceError;
      expect(error).to.include({
        code: 'invalid_request',
        message: `The filter is not valid: ${field} ${message}.`,
      });
      expect(error.facts.details).to.deep.equal([{ code: 'invalid_filter', message, field }]);
    }
  });

  it('contain entries that can be read by id, with fields by name', async () => {
    const entry = await loadEntry(fixture.context(), 'ent_2');
    const fields = new StoredJson('{"field0": "x", "field1": 2}');
    expect(entry).to.deep.include({ entryId: 'ent_2', ontology: 'book', fields });
    const { edges } = await list().list({});
    expect(edges.at(-1)?.node).to.deep.equal(entry);
    for (const id of ['ent_1x', 'none']) expect(await loadEntry(fixture.context(), id)).to.equal(undefined);
  });

  it('contain the ontologies of the app and those of all apps', async () => {
    await expectList(fixture, {
      list: (request) => listOntologies(fixture.context(), request),
      idOf: ({ id }: Ontology) => id,
      ids: ['film', 'song', 'book'],
      positions: [
        timePosition(minute(2), 'film'),
        timePosition(minute(1), 'song'),
        timePosition(minute(1), 'book'),
      ],
      scope: { appId: APP, list: 'ontologies' },
    });
    expect(await loadOntology(fixture.context(), 'book')).to.deep.include({
      id: 'book',
      name: 'Book',
      version: '1',
      identityFields: ['field0'],
    });
    expect(await loadOntologyRow(fixture.context(), 'song')).to.include({ ontology_id: 'song', app_id: APP });
    for (const id of ['game', 'none']) expect(await loadOntology(fixture.context(), id)).to.equal(undefined);
  });
});
