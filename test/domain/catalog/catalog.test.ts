import { expect } from 'chai';
import fc from 'fast-check';
import { entryFieldProblems, fromSlots, toSlots } from '../../../src/domain/catalog/entryFields.js';
import { changedIdentity, derivedEntryId } from '../../../src/domain/catalog/entryIdentity.js';
import { fieldValueProblem } from '../../../src/domain/catalog/fieldValue.js';
import { askedKey, filterEntries, filterKey } from '../../../src/domain/catalog/filterKey.js';
import { assignSlots, incompatibilities } from '../../../src/domain/catalog/nextVersion.js';
import { FIELD_TYPES } from '../../../src/domain/catalog/Ontology.js';
import type { FieldDefinition, FieldType, Ontology } from '../../../src/domain/catalog/Ontology.js';
import type { JsonValue } from '../../../src/domain/jsonValue.js';

const VALUES: Record<FieldType, fc.Arbitrary<JsonValue>> = {
  string: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  integer: fc.integer(),
  boolean: fc.boolean(),
  date_time: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
    .map((at) => at.toISOString()),
  string_array: fc.array(fc.string()),
  object: fc.dictionary(fc.string(), fc.integer()),
};

const definition: fc.Arbitrary<FieldDefinition> = fc.record({
  name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/),
  type: fc.constantFrom(...FIELD_TYPES),
  required: fc.boolean(),
});

const definitions = fc.uniqueArray(definition, { selector: ({ name }) => name, minLength: 1, maxLength: 8 });

function ontologyOf(fields: FieldDefinition[], identityFields: string[] = []): Ontology {
  return {
    id: 'thing',
    appId: undefined,
    name: 'Thing',
    version: '1',
    fields: assignSlots([], fields),
    identityFields,
  };
}

describe('the catalog', () => {
  it('keeps the slot of a field over all versions, and gives no two fields the same', () => {
    fc.assert(
      fc.property(definitions, definitions, (first, second) => {
        const known = assignSlots([], first);
        const names = new Set(first.map(({ name }) => name));
        const next = assignSlots(known, [...second.filter(({ name }) => !names.has(name)), ...first]);
        for (const { name, slot } of known)
          expect(next.find((field) => field.name === name)?.slot).to.equal(slot);
        expect(new Set(next.map(({ slot }) => slot)).size).to.equal(next.length);
      }),
    );
  });

  it('accepts a version that adds and relaxes, and no other', () => {
    fc.assert(
      fc.property(definitions, (fields) => {
        const known = ontologyOf(fields);
        const relaxed = fields.map((field) => ({ ...field, required: false }));
        const added = [...relaxed, { name: 'added', type: 'string' as const, required: true }];
        const next = { appId: undefined, identityFields: [], version: '2' };
        expect(incompatibilities(known, { ...next, fields: added })).to.deep.equal([]);
        expect(incompatibilities(known, { ...next, fields: fields.slice(1) })).to.have.length(1);
        const tightened = fields.map((field) => ({ ...field, required: true }));
        const optional = fields.filter(({ required }) => !required).length;
        expect(incompatibilities(known, { ...next, fields: tightened })).to.have.length(optional);
      }),
    );
  });

  it('accepts other fields under the same version only by their labels and order', () => {
    fc.assert(
      fc.property(definitions, (fields) => {
        const same = { appId: undefined, identityFields: [], version: '1' };
        const known = ontologyOf(fields);
        const labelled = fields.map((field) => ({ ...field, label: 'Other' })).toReversed();
        expect(incompatibilities(known, { ...same, fields: labelled })).to.deep.equal([]);
        const relaxed = fields.map((field) => ({ ...field, required: false }));
        const grown = [{ name: 'added', type: 'string' as const, required: false }, ...relaxed];
        const required = fields.flatMap((field, index) => (field.required ? [`fields[${index + 1}]`] : []));
        const problems = incompatibilities(known, { ...same, fields: grown });
        expect(problems.map(({ field }) => field)).to.deep.equal(['fields[0]', ...required]);
        expect(new Set(problems.map(({ code }) => code))).to.deep.equal(new Set(['version_unchanged']));
        const tightened = fields.map((field) => ({ ...field, required: true }));
        const codes = incompatibilities(known, { ...same, fields: tightened }).map(({ code }) => code);
        expect(codes).to.deep.equal(
          fields.filter((field) => !field.required).map(() => 'requirement_tightened'),
        );
      }),
    );
  });

  it('accepts values of their type and reads them back from their slots', () => {
    const entry = definitions.chain((fields) =>
      fc.tuple(fc.constant(fields), fc.tuple(...fields.map(({ type }) => VALUES[type]))),
    );
    fc.assert(
      fc.property(entry, ([fields, values]) => {
        const { fields: map } = ontologyOf(fields);
        const sent = Object.fromEntries(fields.map(({ name }, index) => [name, values[index] ?? null]));
        expect(entryFieldProblems(map, sent)).to.deep.equal([]);
        const slots = toSlots(map, sent);
        expect(Object.keys(slots).every((slot) => /^f\d+$/.test(slot))).to.equal(true);
        expect(fromSlots(map, slots)).to.deep.equal(sent);
      }),
    );
  });

  it('finds stored values of every type by the index', () => {
    for (const type of FIELD_TYPES) {
      const { fields: map } = ontologyOf([{ name: 'field', type, required: false }]);
      fc.assert(
        fc.property(VALUES[type], (value) => {
          const [slot] = Object.keys(toSlots(map, { field: value }));
          const keys = filterEntries(map, { [slot ?? '']: value }).map(({ key }) => key);
          expect(keys).to.include(filterKey(type, value));
          const asked = askedKey(type, typeof value === 'string' ? value : JSON.stringify(value));
          expect(keys).to.include('key' in asked ? asked.key : '');
        }),
        { numRuns: 50 },
      );
    }
  });

  it('knows no number beyond those of JSON', () => {
    for (const type of ['number', 'integer'] as const)
      expect(askedKey(type, '1e400'), type).to.have.property('problem');
  });

  it('names the bounds of an integer that is beyond them', () => {
    const bounds = 'must be an integer from -9007199254740991 to 9007199254740991';
    for (const value of [2 ** 53, 1e20, -(2 ** 53), 1.5, '1'])
      expect(fieldValueProblem('integer', value), String(value)).to.equal(bounds);
    for (const value of [2 ** 53 - 1, 1 - 2 ** 53, 0])
      expect(fieldValueProblem('integer', value), String(value)).to.equal(undefined);
  });

  it('derives one id from an identity in any notation, and none from an incomplete one', () => {
    const fields: FieldDefinition[] = [
      { name: 'isbn', type: 'string', required: true },
      { name: 'at', type: 'date_time', required: false },
    ];
    const ontology = ontologyOf(fields, ['isbn', 'at']);
    const id = derivedEntryId('app_1', ontology, { isbn: 'x', at: '2026-01-01T00:00:00Z' });
    expect(id).to.match(/^ent_[0-9a-z]{26}$/);
    expect(
      derivedEntryId('app_1', ontology, { at: '2026-01-01T01:00:00+01:00', isbn: 'x', more: 1 }),
    ).to.equal(id);
    expect(derivedEntryId('app_2', ontology, { isbn: 'x', at: '2026-01-01T00:00:00Z' })).to.not.equal(id);
    expect(derivedEntryId('app_1', ontology, { isbn: 'x' })).to.equal(undefined);
    expect(derivedEntryId('app_1', ontologyOf(fields), { isbn: 'x' })).to.equal(undefined);
    expect(changedIdentity(ontology, { isbn: 'x' }, { isbn: 'x', at: '2026-01-01T00:00:00Z' })).to.deep.equal(
      [],
    );
    expect(changedIdentity(ontology, { isbn: 'x' }, {})).to.deep.equal(['isbn']);
    const at = (text: string) => derivedEntryId('app_1', ontology, { isbn: 'x', at: text });
    expect(at('2026-01-01T00:00:00.0001Z'), 'beyond milliseconds').to.not.equal(
      at('2026-01-01T00:00:00.0009Z'),
    );
    expect(at('2026-01-01T01:00:00.000100+01:00')).to.equal(at('2026-01-01T00:00:00.0001Z'));
    expect(at('2026-01-01T00:00:00.0000Z')).to.equal(id);
  });
});
