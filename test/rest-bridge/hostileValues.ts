import fc from 'fast-check';

/** Texts that a parser, a database or a date cannot hold, and others. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '\u0000',
    '\ud800x',
    'a\udfff',
    '__proto__',
    'constructor',
    '',
    '9'.repeat(400),
    '-0',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
  ),
);
/** JSON of such texts, and of numbers at the bounds of doubles. */
export const { hostileJson } = fc.letrec((tie) => ({
  hostileJson: fc.oneof(
    { maxDepth: 4 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, 1e308, 5e-324, -0, 2 ** 63, -1),
    fc.array(tie('hostileJson'), { maxLength: 5 }),
    fc.dictionary(hostileText, tie('hostileJson'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
