import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DETAIL_CODES, ERRORS, GRAPHQL_CODES, OUTCOME_CODES } from '../../src/errorCatalogue.js';
import { MAX_DETAILS, ServiceError, validationFailed } from '../../src/errors.js';
import { printErrors } from '../../schema/printErrors.js';

const KNOWN = new Set(Object.keys({ ...ERRORS, ...DETAIL_CODES, ...OUTCOME_CODES, ...GRAPHQL_CODES }));

/** OAuth's own codes (RFC 6749), which have another shape and another catalogue. */
const OF_OAUTH = /^src\/oauth\//;

/** Codes as sources spell them. */
const LITERALS = [
  /\b(?:code|errorCode): '([a-z_]+)'/g,
  /\bthis\.add\('([a-z_]+)'/g,
  /\bproblem\((?:\w+, )?'([a-z_]+)'/g,
  /\brefuse\('([a-z_]+)'/g,
  /\ballowed: false, reason: '([a-z_]+)'/g,
  // In SQL, of triggers too.
  /jsonb_build_object\('code', '([a-z_]+)'/g,
];

function codesIn(text: string): string[] {
  return LITERALS.flatMap((literal) => [...text.matchAll(literal)].map(([, code = '']) => code));
}

describe('the catalogue of errors', () => {
  const sources = ['src', 'schema', 'resolvers', 'rest-bridge', 'entities'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );

  it('has every code named in the sources', () => {
    const found = sources
      .filter((path) => !OF_OAUTH.test(path))
      .flatMap((path) => codesIn(readFileSync(path, 'utf8')).map((code) => ({ path, code })))
      .filter(({ code }) => !KNOWN.has(code));
    expect(found).to.deep.equal([]);
  });

  it('detects a code without an explanation', () => {
    const text = `this.add('a', 'is'); problem(field, 'b', ''); ({ code: 'c' }); problem('d', '');
      refuse('e', ''); ({ allowed: false, reason: 'f' }); jsonb_build_object('code', 'g');
      ({ errorCode: 'h' })`;
    expect(codesIn(text).toSorted()).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  });

  it('has one id for each code: an anchor, or a heading of one word', () => {
    const found = printErrors().matchAll(/<a id="([^"]+)"><\/a>|^### `([a-z]+)`$/gm);
    const ids = [...found].map(([, anchor, heading]) => anchor ?? heading);
    expect(ids).to.have.members([...KNOWN]);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('bounds the details of every error, and says how many it left out', () => {
    const details = Array.from({ length: MAX_DETAILS + 3 }, (_, index) => ({
      code: 'required',
      message: 'is required',
      field: `f${index}`,
    }));
    const { facts } = validationFailed(details);
    expect([facts.details?.length, facts.details?.at(-1)?.field, facts.detailsOmitted]).to.deep.equal([
      50,
      'f49',
      3,
    ]);
    expect(validationFailed(details.slice(0, MAX_DETAILS)).facts).to.not.have.property('detailsOmitted');
    expect(new ServiceError('conflict', 'No.').facts).to.deep.equal({});
  });
});
