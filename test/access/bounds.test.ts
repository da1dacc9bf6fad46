import { expect } from 'chai';
import { boundProblem, lengthProblem } from '../../src/access/bounds.js';

describe('bounds of a text', () => {
  const codes = (value: unknown, bounds: Parameters<typeof lengthProblem>[1]): string[] =>
    [lengthProblem(value, bounds)].flatMap((problem) =>
      problem ? [`${problem.code}: ${problem.message}`] : [],
    );

  it('are inclusive', () => {
    const bounds = { minLength: 2, maxLength: 4 };
    expect(['ab', 'abc', 'abcd'].map((text) => codes(text, bounds))).to.deep.equal([[], [], []]);
    expect(codes('a', bounds)).to.deep.equal(['too_short: must have at least 2 characters']);
    expect(codes('abcde', bounds)).to.deep.equal(['too_long: must have at most 4 characters']);
    expect(codes('', { minLength: 1 })).to.deep.equal(['too_short: must have at least 1 character']);
    expect(codes('ab', { maxLength: 1 })).to.deep.equal(['too_long: must have at most 1 character']);
  });

  it('count characters, not UTF-16 code units', () => {
    expect(codes('😀😀', { maxLength: 2 })).to.deep.equal([]);
    expect(codes('😀😀😀', { maxLength: 2 })).to.deep.equal(['too_long: must have at most 2 characters']);
    expect(codes('😀', { minLength: 2 })).to.deep.equal(['too_short: must have at least 2 characters']);
    expect(codes('😀😀', { minLength: 2 })).to.deep.equal([]);
    expect(codes('😀', { minLength: 1, maxLength: 1 })).to.deep.equal([]);
    expect(codes('😀a', { minLength: 3, maxLength: 9 })).to.deep.equal([
      'too_short: must have at least 3 characters',
    ]);
  });

  it('report one problem at a time, the length before the pattern', () => {
    const bounds = { minLength: 2, maxLength: 3, pattern: /^[a-z]+$/ };
    expect(codes('A', bounds)).to.deep.equal(['too_short: must have at least 2 characters']);
    expect(codes('ABCD', bounds)).to.deep.equal(['too_long: must have at most 3 characters']);
    expect(codes('AB', bounds)).to.deep.equal(['invalid_format: must match ^[a-z]+$']);
    expect(codes('ab', bounds)).to.deep.equal([]);
  });

  it('are not checked if none are given or the value is not a string', () => {
    expect(codes('x'.repeat(10_000), {})).to.deep.equal([]);
    expect([5, null, undefined, ['ab'], {}].map((value) => codes(value, { minLength: 99 }))).to.deep.equal(
      Array.from({ length: 5 }, () => []),
    );
  });
});

describe('bounds of a number', () => {
  const codes = (value: unknown, bounds: Parameters<typeof boundProblem>[1]): string[] =>
    [boundProblem(value, bounds)].flatMap((problem) =>
      problem ? [`${problem.code}: ${problem.message}`] : [],
    );

  it('are inclusive', () => {
    const bounds = { minimum: 0, maximum: 1 };
    expect([0, 0.5, 1].map((number) => codes(number, bounds))).to.deep.equal([[], [], []]);
    expect(codes(-0.001, bounds)).to.deep.equal(['out_of_range: must be at least 0']);
    expect(codes(1.001, bounds)).to.deep.equal(['out_of_range: must be at most 1']);
  });

  it('are not checked if none are given or the value is not a number', () => {
    expect([-1e9, 1e9].map((number) => codes(number, {}))).to.deep.equal([[], []]);
    expect(
      ['5', null, undefined, true].map((value) => codes(value, { minimum: 9, maximum: 1 })),
    ).to.deep.equal(Array.from({ length: 4 }, () => []));
  });
});
