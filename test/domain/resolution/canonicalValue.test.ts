import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalValue } from '../../../src/domain/resolution/canonicalValue.js';
import { groupValues } from '../../../src/domain/resolution/groupValues.js';
import type { JsonValue } from '../../../src/domain/jsonValue.js';
import { ATTRIBUTE_TYPES } from '../../../src/domain/resolution/types.js';
import type { AttributeRule } from '../../../src/domain/resolution/types.js';

function same(rule: AttributeRule, ...values: JsonValue[]): boolean {
  return new Set(values.map((value) => canonicalValue(value, rule))).size === 1;
}

function groups(rule: AttributeRule, ...values: JsonValue[]): number {
  return new Set(
    groupValues(
      values.map((value) => canonicalValue(value, rule)),
      rule,
    ).values(),
  ).size;
}

describe('canonicalValue', () => {
  it('folds case, width and spacing of text', () => {
    expect(same({}, 'Straße', ' STRASSE', 'STRAẞE', 'ｓｔｒａｓｓｅ\u00a0')).to.equal(true);
    expect(same({}, 'a  b', 'A\tB')).to.equal(true);
    expect(same({}, 'a b', 'ab')).to.equal(false);
  });

  it('compares objects by their canonical JSON and arrays of strings as sets', () => {
    expect(same({}, { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).to.equal(true);
    expect(same({}, { b: [1, 2] }, { b: [2, 1] })).to.equal(false);
    expect(same({}, ['b', 'A', 'a'], ['a', 'B'])).to.equal(true);
  });

  it('reads numbers in several notations', () => {
    expect(same({ type: 'number' }, 1234.5, '1,234.5', ' 1 234.50 ', '1.2345e3')).to.equal(true);
    expect(same({ type: 'number' }, '12', '1,2')).to.equal(false);
  });

  it('takes a text that is no number for a text, whatever the tolerance', () => {
    const rule: AttributeRule = { type: 'number', tolerance: 1 };
    for (const text of ['0x10', '0b10000', '0o20']) expect(groups(rule, text, 16), text).to.equal(2);
    expect(groups(rule, '1.6e1', '16.5')).to.equal(1);
  });

  it('reads dates of the years 1 to 9999, and of any RFC 3339 time its day in UTC', () => {
    const date: AttributeRule = { type: 'date' };
    const dayOf = (text: string): string => canonicalValue(text, date);
    expect(dayOf('1.1.0001')).to.equal('0001-01-01');
    expect(dayOf('0099-12-31T10:00:00Z')).to.equal('0099-12-31');
    expect(dayOf('2020-03-12t23:30:00z')).to.equal('2020-03-12');
    expect(dayOf('2020-03-12t23:30:00-01:00')).to.equal('2020-03-13');
    expect(dayOf('2016-12-31T23:59:60Z')).to.equal('2016-12-31');
    const beyond = ['0000-01-01', '9999-12-31t23:30:00-01:00', '0001-01-01t00:00:00+01:00'];
    for (const text of beyond) expect(dayOf(text)).to.equal(text);
  });

  it('reads names of months, also shortened, and no other words', () => {
    const date: AttributeRule = { type: 'date' };
    const spellings = ['12 September 2020', '12. SEP 2020', 'Sept. 12, 2020'];
    expect(same(date, '2020-09-12', ...spellings)).to.equal(true);
    for (const text of ['12 marzipan 2020', 'mayor 5, 2020', '1 septembers 2020'])
      expect(canonicalValue(text, date)).to.equal(text);
  });

  it('reads unambiguous dates and leaves ambiguous ones unchanged', () => {
    const date: AttributeRule = { type: 'date' };
    const spellings = [
      '2020-03-12',
      '2020/3/12',
      '12.3.2020',
      '12 March 2020',
      'Mar 12, 2020',
      '2020-03-12T23:30:00Z',
    ];
    expect(same(date, ...spellings)).to.equal(true);
    expect(same(date, '03/12/2020', '2020-03-12')).to.equal(false);
    expect(canonicalValue('2020-02-30', date)).to.equal('2020-02-30');
    expect(same(date, '2020-03-01T00:30:00+01:00', '2020-02-29')).to.equal(true);
  });

  it('abbreviates words of addresses', () => {
    expect(same({ type: 'address' }, '12 North Main Street, Apartment 4', '12 N. Main St apt 4')).to.equal(
      true,
    );
  });

  it('puts person names into one order', () => {
    const name: AttributeRule = { type: 'person_name' };
    expect(
      same(name, "O'Leary, Timothy J.", "timothy j o'leary", 'Timothy J. O’Leary', 'Dr Timothy J O`LEARY'),
    ).to.equal(true);
    expect(same(name, 'García Márquez, José', 'jose garcia marquez')).to.equal(true);
    expect(same(name, 'Smith, Jr., John', 'John Smith')).to.equal(true);
    expect(same(name, 'Jane Smith', 'John Smith')).to.equal(false);
  });

  it('ignores accents, and no sign that is a letter of its script', () => {
    const name = (value: string): string => canonicalValue(value, { type: 'person_name' });
    expect(name('José Nuñez')).to.equal(name('JOSE NUNEZ'));
    expect(name('Ἀριστοτέλης')).to.equal(name('Αριστοτελης'));
    for (const [a, b] of [
      ['कमल शर्मा', 'कमला शर्मा'],
      ['かとう', 'がとう'],
      ['মিতা', 'মাতা'],
      ['Андрей', 'Андреи'],
    ] as const)
      expect(name(a), `${a} and ${b}`).to.not.equal(name(b));
  });

  it('splits lists of names at any separator', () => {
    const names: AttributeRule = { type: 'person_names' };
    const spellings = [
      'Haag, Stephen; Perry, James T.',
      'Stephen Haag, James T. Perry',
      'James T Perry and Stephen Haag',
      'HAAG, STEPHEN / PERRY, JAMES T',
      'Haag, Stephen, Perry, James T.',
    ];
    expect(same(names, ...spellings)).to.equal(true);
    expect(same(names, ...spellings, ['James T. Perry', 'Stephen Haag'])).to.equal(true);
  });

  it('is idempotent', () => {
    const types = fc.constantFrom<AttributeRule>(
      {},
      { type: 'number' },
      { type: 'date' },
      { type: 'address' },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), types, (text, rule) => {
        const once = canonicalValue(text, rule);
        expect(canonicalValue(once, rule)).to.equal(once);
      }),
    );
  });
});

describe('groupValues', () => {
  it('joins numbers within tolerance without chaining', () => {
    expect(groups({ type: 'number', tolerance: 1 }, 10, 10.9, 11)).to.equal(1);
    expect(groups({ type: 'number', tolerance: 1 }, 10, 11, 12)).to.equal(2);
    expect(groups({ type: 'number', relativeTolerance: 0.01 }, 1000, 1009, 1020)).to.equal(2);
    expect(groups({ type: 'date', tolerance: 2 }, '2020-03-01', '2020-03-03', '2020-03-09')).to.equal(2);
  });

  it('joins a name with a fuller form only when there is exactly one', () => {
    const name: AttributeRule = { type: 'person_name' };
    expect(groups(name, 'Knuth, Donald E.', 'Donald Ervin Knuth', 'D. Knuth', 'KNUTH')).to.equal(1);
    expect(groups(name, 'John Smith', 'Jane Smith')).to.equal(2);
    expect(groups(name, 'John Smith', 'Jane Smith', 'J. Smith')).to.equal(3);
  });

  it('takes a text of a person_name for a name, whatever it looks like', () => {
    const name: AttributeRule = { type: 'person_name' };
    expect(groups(name, '[redacted', 'Anna Smith')).to.equal(2);
    expect(groups(name, '["Anna Smith"]', 'Anna Smith')).to.equal(2);
    expect(groups(name, 'Anna Smith', ['A. Smith'], ['Smith, Anna'])).to.equal(1);
    expect(groups(name, 'Anna Smith', ['Anna Smith', 'Bob Lee'])).to.equal(2);
  });

  it('takes arrays of texts alone for lists of names', () => {
    const names: AttributeRule = { type: 'person_names' };
    expect(groups(names, '[redacted', 'Anna Smith', ['[redacted'])).to.equal(2);
    expect(groups(names, 'Anna Smith', ['A. Smith'])).to.equal(1);
    expect(groups(names, [{ a: 1 }], [{ a: 2 }])).to.equal(2);
  });

  it('takes no day that does not exist for one near it', () => {
    expect(groups({ type: 'date', tolerance: 2 }, '2020-02-30', '2020-03-01')).to.equal(2);
  });

  it('takes every value for every type', () => {
    const start = fc.constantFrom('', '[', '["', '{"a":', '"', '2020-02-3', '1e', '-');
    const text = fc.tuple(start, fc.string({ unit: 'grapheme' })).map((parts) => parts.join(''));
    const json = fc.json();
    const value = fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }),
      json,
      json.map((each) => JSON.parse(each) as JsonValue),
    );
    const rule = fc.record(
      {
        type: fc.constantFrom(...ATTRIBUTE_TYPES),
        tolerance: fc.constantFrom(0, 1),
        relativeTolerance: fc.constantFrom(0, 0.1),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), rule, (values, of) => {
        const forms = values.map((each) => canonicalValue(each, of));
        const grouped = groupValues(forms, of);
        for (const form of forms) expect(grouped.get(form)).to.be.within(0, forms.length - 1);
      }),
      { numRuns: 1000 },
    );
  });

  it('groups the same in any order', () => {
    const texts = fc.array(
      fc.constantFrom('J Smith', 'John Smith', 'John A Smith', 'Jane Smith', 'Smith', 'Ann Lee'),
    );
    fc.assert(
      fc.property(texts, (values) => {
        const rule: AttributeRule = { type: 'person_name' };
        const canonical = values.map((value) => canonicalValue(value, rule));
        const one = groupValues(canonical, rule);
        const other = groupValues(canonical.toReversed(), rule);
        expect([...other].toSorted()).to.deep.equal([...one].toSorted());
      }),
    );
  });
});
