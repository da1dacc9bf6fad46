import { expect } from 'chai';
import fc from 'fast-check';
import { parseTimestamp } from '../../src/domain/timestamp.js';

const STORABLE = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const digits = (length: number): fc.Arbitrary<string> =>
  fc.nat(10 ** length - 1).map((value) => String(value).padStart(length, '0'));

const nearly = fc
  .tuple(
    fc.oneof(fc.constantFrom('0000', '0001', '9999'), digits(4)),
    digits(2),
    digits(2),
    digits(2),
    digits(2),
    digits(2),
    fc.constantFrom('', '.1', '.123456789'),
    fc.constantFrom('Z', 'z', '+14:00', '-23:59', '+23:59', '+24:00', '+99:99', ''),
  )
  .map(([y, mo, d, h, mi, s, fraction, zone]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${fraction}${zone}`);

describe('timestamp', () => {
  it('parses every time that it prints to the same time', () => {
    const min = new Date('0001-01-01T00:00:00.000Z');
    const max = new Date('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).to.equal(date.toISOString());
      }),
    );
  });

  it('returns only times that the database can hold, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const time = parseTimestamp(text);
        if (time !== undefined) expect(time).to.match(STORABLE);
      }),
      { numRuns: 2000 },
    );
  });

  it('stays within the years 1 to 9999 in UTC, too', () => {
    expect(parseTimestamp('0000-01-01T00:00:00Z')).to.equal(undefined);
    expect(parseTimestamp('0000-12-31T23:59:59Z')).to.equal(undefined);
    expect(parseTimestamp('0001-01-01T00:00:00+01:00')).to.equal(undefined);
    expect(parseTimestamp('9999-12-31T23:59:59-01:00')).to.equal(undefined);
    expect(parseTimestamp('0001-01-01T00:00:00-01:00')).to.equal('0001-01-01T01:00:00.000Z');
  });

  it('refuses dates that the calendar does not have', () => {
    expect(parseTimestamp('2028-02-29T00:00:00Z')).to.equal('2028-02-29T00:00:00.000Z');
    expect(parseTimestamp('1900-02-28T00:00:00Z')).to.equal('1900-02-28T00:00:00.000Z');
    for (const none of [
      '2026-02-29',
      '2026-02-30',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
    ]) {
      expect(parseTimestamp(`${none}T00:00:00Z`), none).to.equal(undefined);
    }
  });

  it('takes leap seconds where they can be, and any fraction', () => {
    for (const text of ['1990-12-31T23:59:60Z', '1990-12-31T15:59:60-08:00', '1990-12-31T23:59:60.5Z'])
      expect(parseTimestamp(text), text).to.equal('1990-12-31T23:59:59.999Z');
    for (const text of ['2026-01-15T23:59:60Z', '2026-01-31T22:59:60Z', '2026-01-31T23:59:61Z'])
      expect(parseTimestamp(text), text).to.equal(undefined);
    expect(parseTimestamp('2026-01-01T00:00:00.1234567890Z')).to.equal('2026-01-01T00:00:00.123Z');
  });

  it('refuses offsets beyond a day, of leap seconds too', () => {
    for (const time of ['2026-01-01T00:00:00', '1990-12-31T23:59:60'])
      for (const offset of ['+24:00', '-99:99', '+00:60'])
        expect(parseTimestamp(`${time}${offset}`), time + offset).to.equal(undefined);
  });

  it('converts every zone to UTC and requires one', () => {
    expect(parseTimestamp('2026-01-01T00:30:00+02:00')).to.equal('2025-12-31T22:30:00.000Z');
    expect(parseTimestamp('2026-01-01t00:30:00z')).to.equal('2026-01-01T00:30:00.000Z');
    expect(parseTimestamp('2026-01-01T00:30:00')).to.equal(undefined);
    expect(parseTimestamp('2026-01-01')).to.equal(undefined);
    expect(parseTimestamp('2026-01-01T00:30:00+0200')).to.equal(undefined);
  });
});
