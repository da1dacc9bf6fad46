import { expect } from 'chai';
import fc from 'fast-check';
import { getNamedType, getNullableType, isEnumType, isListType, isObjectType, parse, validate } from 'graphql';
import type { ExecutionResult } from 'graphql';
import { createContext } from '../../src/access/createContext.js';
import { describeError } from '../../src/access/describeError.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from '../../src/documents/factShape.js';
import type { Shape } from '../../src/documents/factShape.js';
import type { Door } from '../../src/domain/door.js';
import { StoredText } from '../../src/documents/StoredText.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { printSpliced } from '../../src/execution/printSpliced.js';
import { fullSelection, generateOperation } from './generateOperation.js';
import { World } from './World.js';

describe('compiled operations', () => {
  let world: World;

  before(async () => {
    world = await World.open();
  });
  after(() => world.service.stop());

  async function answer(operation: CompiledOperation, scopes?: readonly Scope[], variables = {}): Promise<Seen> {
    const { services } = world.service;
    const context = createContext(services, world.caller(scopes), 'req_test', operation.forms);
    return readResult(await operation.run(context, variables));
  }

  it('answer generated operations as graphql-js does', async () => {
    const scopeSets: Scope[][] = [[...ALL_SCOPES], ['customers:read', 'profile:read'], ['claims:read', 'consent:read']];
    const forms = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        generateOperation(world.schema, world.customers),
        fc.constantFrom(...scopeSets),
        async (text, scopes) => {
          const document = parse(text);
          fc.pre(validate(world.schema, document).length === 0);
          const compiled = world.compiler.compile(document, 'graphql');
          for (const place of compiled.forms.print.keys()) forms.set(place, (forms.get(place) ?? 0) + 1);
          if (compiled.forms.print.size === 0) forms.set('objects', (forms.get('objects') ?? 0) + 1);
          expectSame(await answer(compiled, scopes), await answer(world.plain(document), scopes));
        },
      ),
      { numRuns: 150 },
    );
    expect([...forms.keys()]).to.have.members(['objects', 'ResolvedProfile.facts', 'ClaimConnection.nodes']);
  });

  it('answer alike whatever the variables hold', async () => {
    const document = parse(`query ($ids: [ID!]!, $p: ConsentPurpose = ANALYTICS, $first: Int) {
      profiles(customerIds: $ids, consentPurpose: $p) { facts { ${fullSelection('graphql')} } }
      customers(first: $first) { nodes { id } } }`);
    const compiled = world.compiler.compile(document, 'graphql');
    expect(compiled.forms.facts).to.equal('graphql');
    const variables = fc.record(
      {
        ids: fc.array(fc.constantFrom(...world.customers), { maxLength: 3 }),
        p: fc.constantFrom('PERSONALIZATION', 'SUPPORT', null),
        first: fc.constantFrom(1, 2, null),
      },
      { requiredKeys: ['ids'] },
    );
    await fc.assert(
      fc.asyncProperty(variables, async (values) => {
        const plain = await answer(world.plain(document), undefined, values);
        expectSame(await answer(compiled, undefined, values), plain);
      }),
      { numRuns: 40 },
    );
  });

  it('take facts as text only where their shape tells all: as stored when selected whole', () => {
    const full = fullSelection('graphql');
    const fragment = `fragment f on ResolvedProfileFact { ${full} }`;
    const form = (facts: string, door: Door = 'graphql'): string => {
      const used = facts.includes('...f') ? fragment : '';
      const document = parse(`query { p: resolvedProfile(customerId: "a") { ${facts} } } ${used}`);
      const print = world.compiler.compile(document, door).forms.print.get('ResolvedProfile.facts');
      const stored = new StoredText('[]');
      if (print === undefined) return 'objects';
      return print(stored) === stored ? `${door} as stored` : 'printed anew';
    };
    const rest = fullSelection('rest');
    expect(form(`facts { ${full} }`)).to.equal('graphql as stored');
    expect(form('facts { ...f }')).to.equal('graphql as stored');
    expect(form(`all: facts { ${full} } facts { ${full} }`)).to.equal('graphql as stored');
    expect(form(`facts { ${rest} }`, 'rest')).to.equal('rest as stored');
    expect(form(`facts { ${rest} }`)).to.equal('printed anew');
    expect(form(`facts { ${full} }`, 'rest')).to.equal('objects');
    expect(form(`facts { ${full.replace('attribute', 'renamed: attribute')} }`)).to.equal('printed anew');
    const swapped = full.replace('attribute resolvedValue', 'resolvedValue attribute');
    expect(form(`facts { ${swapped} }`)).to.equal('printed anew');
    expect(form('facts { attribute again: attribute }')).to.equal('printed anew');
    expect(form(`facts { ${full} __typename }`)).to.equal('objects');
    expect(form('facts { attribute explanation { logOdds } }')).to.equal('objects');
    expect(form('facts { attribute attribute }')).to.equal('objects');
    expect(form(`facts { ... @skip(if: false) { ${full} } }`)).to.equal('objects');
    expect(form(`facts { ${full} } other: facts { attribute }`)).to.equal('objects');
    expect(form(`facts { ${full} } facts { other: attribute }`)).to.equal('objects');
    expect(form(`facts { ${full} } rest: facts { ${rest} }`)).to.equal('objects');
  });

  it('keep a shape that fits the schema: in its order, enums told apart', () => {
    const check = (typeName: string, shape: Shape): void => {
      const type = world.schema.getType(typeName);
      if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
      const fields = Object.values(type.getFields()).filter(({ name }) => name in shape);
      expect(fields.map(({ name }) => name)).to.deep.equal(Object.keys(shape));
      for (const field of fields) {
        const kind = shape[field.name];
        const named = getNamedType(field.type);
        const inner = kind && innerShape(kind);
        expect(isListType(getNullableType(field.type))).to.equal(inner !== undefined && inner !== kind);
        if (inner !== undefined) check(named.name, inner);
        else expect(kind).to.equal(isEnumType(named) ? 'enum' : 'value');
      }
    };
    check('ResolvedProfileFact', FACT_SHAPE);
    check('Claim', CLAIM_SHAPE);
  });
});

interface Seen {
  data: string;
  errors: string[];
}

function readResult({ data, errors = [] }: ExecutionResult): Seen {
  const told = errors.map((error) => {
    const { code, message } = describeError(error);
    return JSON.stringify({ code, message, path: error.path, locations: error.locations });
  });
  return { data: printSpliced(data ?? null), errors: told };
}

/**
 * Where a null has spread over a sibling, whose error is late may tell it or not (GraphQL specification, 6.4.4): of errors that
 * only one of the two tells, each must lie under such a null.
 */
function expectSame(compiled: Seen, plain: Seen): void {
  expect(compiled.data).to.equal(plain.data);
  expect(compiled.errors.length === 0).to.equal(plain.errors.length === 0);
  const toldOnce = [...compiled.errors, ...plain.errors].filter(
    (error) => !compiled.errors.includes(error) || !plain.errors.includes(error),
  );
  const data = JSON.parse(plain.data) as unknown;
  const outside = toldOnce.filter((error) => !isUnderNull(data, (JSON.parse(error) as { path: Path }).path));
  expect(outside).to.deep.equal([]);
}

type Path = (string | number)[];

/** Whether a null stands above the place that a path leads to. */
function isUnderNull(data: unknown, path: Path): boolean {
  let value = data;
  for (const step of path) {
    if (value === null) return true;
    value = (value as Record<string | number, unknown>)[step] ?? null;
  }
  return false;
}
