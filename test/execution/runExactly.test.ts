import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { GraphQLError, parse, validate } from 'graphql';
import type { ExecutionResult } from 'graphql';
import { createContext } from '../../src/access/createContext.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { printSpliced } from '../../src/documents/StoredText.js';
import { shownErrors } from '../../src/graphql/shownErrors.js';
import { caughtAt } from './caughtAt.js';
import { generateOperation } from './generateOperation.js';
import { withFragments } from './withFragments.js';
import { ExecutionFixture } from './ExecutionFixture.js';

const SCOPES: Scope[][] = [[...ALL_SCOPES], ['customers:read', 'profile:read'], ['events:write']];
const TRIES = 15;
const CONDITIONS: Record<string, unknown>[] = [{}, { yes: false }, { yes: null }, { no: true }];

describe('Compiled operations with errors', () => {
  let fixture: ExecutionFixture;

  before(async () => {
    fixture = await ExecutionFixture.open();
  });
  after(() => fixture.service.stop());

  /**
   * The answer of the last operation, after the others on the same context, which takes documents in the last
   * one's form.
   */
  async function answer({ scopes, variables }: Question, ...operations: CompiledOperation[]): Promise<Seen> {
    const forms = operations.at(-1)?.forms;
    const context = createContext(fixture.service.services, fixture.caller(scopes), 'req_test', forms);
    let result: ExecutionResult = {};
    for (const operation of operations) result = await operation.run(undefined, context, variables);
    return seen(result);
  }

  async function same(text: string, scopes: readonly Scope[], variables: Variables): Promise<void> {
    const document = parse(text);
    expect(validate(fixture.schema, document)).to.deep.equal([]);
    const question = { scopes, variables };
    const plain = fixture.plain(document);
    for (const compiled of compile(text)) {
      const given = await answer(question, compiled);
      await isOneOf(given, [() => answer(question, plain), () => answer(question, compiled, plain)]);
    }
  }

  /**
   * Of fields that fail side by side, whose error is late may not be told: graphql-js differs from itself
   * there, above all between a context that still has to ask the database and one that has its answers, on
   * which it runs after the compiled.
   */
  async function isOneOf(given: Seen, ways: readonly (() => Promise<Seen>)[]): Promise<void> {
    const others: Seen[] = [];
    for (let tries = 0; tries < TRIES; tries += 1)
      for (const way of ways) {
        const other = await way();
        if (isDeepStrictEqual(given, other)) return;
        others.push(other);
      }
    expect(given).to.deep.equal(others[0]);
  }

  /**
   * For operations whose fields fail side by side at the database's pace: the data, and errors that
   * graphql-js may tell of it.
   */
  async function mayBeTold(text: string, scopes: readonly Scope[], variables: Variables): Promise<void> {
    const document = parse(text);
    const question = { scopes, variables };
    const reference = await answer(question, fixture.plain(document));
    const all = await answer(question, fixture.withoutSpreading(document));
    for (const compiled of compile(text)) {
      const given = await answer(question, compiled);
      expect(given.data).to.equal(reference.data);
      expectErrors(given, all.errors, (path) => caughtAt(fixture.schema, document, path));
    }
  }

  /** None where the operation is left to graphql-js. */
  function compile(text: string): CompiledOperation[] {
    try {
      return [fixture.compiler.compile(parse(text), 'graphql')];
    } catch {
      return [];
    }
  }

  for (const [how, change] of [
    ['as they are', (text: string) => text],
    ['with fragments', (text: string) => withFragments(fixture.schema, text)],
  ] as const)
    it(`answer generated operations ${how} as graphql-js does`, async () => {
      let compiled = 0;
      await fc.assert(
        fc.asyncProperty(
          generateOperation(fixture.schema, fixture.customers),
          fc.constantFrom(...SCOPES),
          fc.constantFrom(...CONDITIONS),
          async (generated, scopes, variables) => {
            const text = change(generated);
            fc.pre(validate(fixture.schema, parse(text)).length === 0);
            compiled += compile(text).length;
            await mayBeTold(text, scopes, variables);
          },
        ),
        { numRuns: 150 },
      );
      expect(compiled).to.be.above(how === 'as they are' ? 100 : 5);
    });

  const FAILING: [string, string, Variables?][] = [
    ['two roots that must not be null', '{ customers { nodes { id } } ontologies { nodes { id } } }'],
    ['a root that may be null and one that must not', '{ app(id: "a") { id } customers { nodes { id } } }'],
    [
      'a default that must not be null',
      'query($first: Int! = 1) { customers(first: $first) { nodes { externalId } } }',
    ],
    [
      'a null for a condition',
      'query($yes: Boolean = true) { app(id: "a") @include(if: $yes) { id } }',
      { yes: null },
    ],
    [
      'a null for a default',
      'query($first: Int = 1) { customers(first: $first) { nodes { id } } }',
      { first: null },
    ],
    [
      'a variable of another type',
      'query($first: Int) { customers(first: $first) { nodes { id } } }',
      { first: 'x' },
    ],
    ['a variable that is missing', 'query($id: ID!) { customer(id: $id) { id } }'],
    ['an argument that is missing', 'query($id: ID = "x") { customer(id: $id) { id } }', { id: null }],
    ['items of a list', '{ profiles(customerIds: ["a", "b", "c"]) { customerId } }'],
    [
      'items of lists',
      '{ a: profiles(customerIds: ["a", "b"]) { customerId } b: profiles(customerIds: ["c"]) { customerId } }',
    ],
    [
      'a literal with a variable',
      'query($id: ID!) { profiles(customerIds: ["a", $id]) { customerId } }',
      { id: 'b' },
    ],
    [
      'a fragment twice, on a condition first',
      'query($no: Boolean!) { ...f @include(if: $no) ...f } fragment f on Query { app(id: "a") { id } }',
      { no: false },
    ],
    [
      'a fragment in two places, on a condition',
      'query($no: Boolean!) { a: app(id: "a") { ...f @include(if: $no) } b: app(id: "b") { ...f } } fragment f on App { id }',
      { no: false },
    ],
    [
      'a field of two nodes, one on a condition',
      'query($no: Boolean!) { app(id: "a") @include(if: $no) { id } app(id: "a") { name } }',
      { no: false },
    ],
  ];
  for (const [what, text, variables = {}] of FAILING)
    it(`report ${what} as graphql-js does`, async () => {
      for (const scopes of SCOPES) await same(text, scopes, variables);
    });

  it('report internal errors as graphql-js does', async () => {
    await fixture.service.sql('ALTER TABLE customers RENAME TO customers_gone');
    await same('{ customers { nodes { id } } }', ALL_SCOPES, {});
    await fixture.service.sql('ALTER TABLE customers_gone RENAME TO customers');
  });
});

type Variables = Record<string, unknown>;

interface Question {
  scopes: readonly Scope[];
  variables: Variables;
}

type Path = readonly (string | number)[];

interface SeenError {
  path?: Path | undefined;
  [member: string]: unknown;
}

interface Seen {
  data: string | undefined;
  errors: SeenError[];
}

/** All that clients and Apollo Server may look at. */
function seen({ data, errors = [] }: ExecutionResult): Seen {
  const shown = shownErrors(errors, { requestId: 'req_test', baseUrl: '' });
  return {
    data: data === undefined ? undefined : printSpliced(data),
    errors: errors.map((error, index) => ({
      shown: shown[index],
      isError: error instanceof GraphQLError,
      message: error.message,
      path: error.path,
      locations: error.locations,
      extensions: error.extensions,
      nodes: error.nodes?.map(({ kind, loc }) => [kind, loc?.start]),
      cause: error.originalError?.name,
    })),
  };
}

/**
 * Which of several errors spread a null is decided by the slower statement, in graphql-js too. Every error
 * told is one that the operation has, every null has its error, and no place tells two.
 *
 * @param all errors of the operation on a schema in which no null spreads
 * @param placeOf where an error becomes a null
 */
function expectErrors(
  { data, errors }: Seen,
  all: readonly SeenError[],
  placeOf: (path: Path) => string,
): void {
  const known = new Set(all.map((error) => JSON.stringify(error)));
  expect(errors.filter((error) => !known.has(JSON.stringify(error)))).to.deep.equal([]);
  const value: unknown = data === undefined ? undefined : JSON.parse(data);
  const nulls = (list: readonly SeenError[]): string[] =>
    [...new Set(list.map(({ path = [] }) => firstNull(value, path)))].toSorted();
  expect(nulls(errors)).to.deep.equal(nulls(all));
  const places = errors.map(({ path = [] }) => placeOf(path));
  expect(places).to.deep.equal([...new Set(places)]);
}

/** The place on the way to an error at which the answer is null. */
function firstNull(data: unknown, path: Path): string {
  let value = data;
  for (const [depth, step] of path.entries()) {
    if (value === null || value === undefined) return path.slice(0, depth).join('.');
    value = (value as Record<string | number, unknown>)[step];
  }
  return path.join('.');
}
