import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { GraphQLError, parse, validate } from 'graphql';
import type { ExecutionResult } from 'graphql';
import { createContext } from '../../src/access/createContext.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { printSpliced } from '../../src/execution/printSpliced.js';
import { shownErrors } from '../../src/graphql/shownErrors.js';
import { generateOperation } from './generateOperation.js';
import { withFragments } from './withFragments.js';
import { World } from './World.js';

const SCOPES: Scope[][] = [[...ALL_SCOPES], ['customers:read', 'profile:read'], ['events:write']];
const TRIES = 30;
const CONDITIONS: Record<string, unknown>[] = [{}, { yes: false }, { yes: null }, { no: true }];

describe('compiled operations, errors and their order included,', () => {
  let world: World;

  before(async () => {
    world = await World.open();
  });
  after(() => world.service.stop());

  async function answer(operation: CompiledOperation, scopes: readonly Scope[], variables: Variables): Promise<Seen> {
    const context = createContext(world.service.services, world.caller(scopes), 'req_test', operation.forms);
    return seen(await operation.run(context, variables));
  }

  async function same(text: string, scopes: readonly Scope[], variables: Variables, order = inOrder): Promise<void> {
    const document = parse(text);
    expect(validate(world.schema, document)).to.deep.equal([]);
    const once = async (operation: CompiledOperation): Promise<Seen> =>
      order(await answer(operation, scopes, variables));
    for (const compiled of compile(text)) await isOneOf(await once(compiled), () => once(world.plain(document)));
  }

  /** Of fields that fail side by side, whose error is late may not be told: graphql-js differs from itself there. */
  async function isOneOf(given: Seen, plain: () => Promise<Seen>): Promise<void> {
    for (let tries = 1; tries < TRIES; tries += 1) if (isDeepStrictEqual(given, await plain())) return;
    expect(given).to.deep.equal(await plain());
  }

  /** For either use; none where the operation is left to graphql-js. */
  function compile(text: string): CompiledOperation[] {
    try {
      return [world.compiler.compile(parse(text), 'graphql'), world.compiler.compilePlain(parse(text))];
    } catch {
      return [];
    }
  }

  for (const [how, change] of [
    ['as they are', (text: string) => text],
    ['with fragments', (text: string) => withFragments(world.schema, text)],
  ] as const)
    it(`answer generated operations ${how} as graphql-js does`, async () => {
      let compiled = 0;
      await fc.assert(
        fc.asyncProperty(
          generateOperation(world.schema, world.customers),
          fc.constantFrom(...SCOPES),
          fc.constantFrom(...CONDITIONS),
          async (generated, scopes, variables) => {
            const text = change(generated);
            fc.pre(validate(world.schema, parse(text)).length === 0);
            compiled += compile(text).length;
            await same(text, scopes, variables, sorted);
          },
        ),
        { numRuns: 150 },
      );
      expect(compiled).to.be.above(how === 'as they are' ? 100 : 20);
    });

  const FAILING: [string, string, Variables?][] = [
    ['two roots that must not be null', '{ customers { nodes { id } } ontologies { nodes { id } } }'],
    ['a root that may be null and one that must not', '{ app(id: "a") { id } customers { nodes { id } } }'],
    [
      'a default that must not be null',
      'query($first: Int! = 1) { customers(first: $first) { nodes { externalId } } }',
    ],
    ['a null for a condition', 'query($yes: Boolean = true) { app(id: "a") @include(if: $yes) { id } }', { yes: null }],
    ['a null for a default', 'query($first: Int = 1) { customers(first: $first) { nodes { id } } }', { first: null }],
    ['a variable of another type', 'query($first: Int) { customers(first: $first) { nodes { id } } }', { first: 'x' }],
    ['a variable that is missing', 'query($id: ID!) { customer(id: $id) { id } }'],
    ['an argument that is missing', 'query($id: ID = "x") { customer(id: $id) { id } }', { id: null }],
    ['items of a list', '{ profiles(customerIds: ["a", "b", "c"]) { customerId } }'],
    [
      'items of lists',
      '{ a: profiles(customerIds: ["a", "b"]) { customerId } b: profiles(customerIds: ["c"]) { customerId } }',
    ],
    ['a literal with a variable', 'query($id: ID!) { profiles(customerIds: ["a", $id]) { customerId } }', { id: 'b' }],
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
    it(`tell ${what} as graphql-js does`, async () => {
      for (const scopes of SCOPES) await same(text, scopes, variables);
    });

  it('tell what went wrong on our side as graphql-js does', async () => {
    await world.service.sql('ALTER TABLE customers RENAME TO customers_gone');
    await same('{ customers { nodes { id } } }', ALL_SCOPES, {});
    await world.service.sql('ALTER TABLE customers_gone RENAME TO customers');
  });
});

type Variables = Record<string, unknown>;

interface Seen {
  data: string | undefined;
  errors: object[];
}

/** All that clients and Apollo Server may look at. */
function seen({ data, errors = [] }: ExecutionResult): Seen {
  const shown = shownErrors(errors, 'req_test');
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

function inOrder(answer: Seen): Seen {
  return answer;
}

/** Of errors whose order is that of the database's answers. */
function sorted({ data, errors }: Seen): Seen {
  return { data, errors: errors.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) };
}
