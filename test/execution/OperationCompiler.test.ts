import { expect } from 'chai';
import fc from 'fast-check';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import type { ExecutionResult } from 'graphql';
import { createContext } from '../../src/access/createContext.js';
import { describeError } from '../../src/access/describeError.js';
import type { DocumentForm } from '../../src/documents/DocumentForms.js';
import { AttributeValueScalar } from '../../schema/scalars.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from '../../src/documents/factShape.js';
import type { Shape } from '../../src/documents/factShape.js';
import type { Door } from '../../src/domain/door.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { printSpliced } from '../../src/documents/StoredText.js';
import { fullSelection, generateOperation } from './generateOperation.js';
import { ExecutionFixture } from './ExecutionFixture.js';

describe('Compiled operations', () => {
  let fixture: ExecutionFixture;

  before(async () => {
    fixture = await ExecutionFixture.open();
  });
  after(() => fixture.service.stop());

  async function answer(
    operation: CompiledOperation,
    scopes?: readonly Scope[],
    variables = {},
  ): Promise<Seen> {
    const { services } = fixture.service;
    const context = createContext(services, fixture.caller(scopes), 'req_test', operation.forms);
    return readResult(await operation.run(undefined, context, variables));
  }

  it('answer generated operations as graphql-js does', async () => {
    const scopeSets: Scope[][] = [
      [...ALL_SCOPES],
      ['customers:read', 'profile:read'],
      ['claims:read', 'consent:read'],
    ];
    const forms = new Set<string>();
    const [id = ''] = fixture.customers;
    // Each of facts and claims as it is stored, cut and as objects, in every run. Nothing else finds a loader
    // that was told another form than the leaves have.
    const ofFacts = ['consentPurpose attribute', fullSelection('graphql'), 'attribute attribute'];
    const ofClaims = ['consentPurpose id', fullSelection('graphql', CLAIM_SHAPE), 'id id'];
    const both = ofFacts.flatMap((facts) =>
      ofClaims.map(
        (claims) => `{ resolvedProfile(customerId: "${id}") { facts { ${facts} } }
          claims(customerId: "${id}") { nodes { ${claims} } } }`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        generateOperation(fixture.schema, fixture.customers),
        fc.constantFrom(...scopeSets),
        async (text, scopes) => {
          const document = parse(text);
          fc.pre(validate(fixture.schema, document).length === 0);
          const compiled = fixture.compiler.compile(document, 'graphql');
          forms.add(`facts ${told(compiled.forms.facts)}`).add(`claims ${told(compiled.forms.claims)}`);
          expectSame(await answer(compiled, scopes), await answer(fixture.plain(document), scopes));
        },
      ),
      { numRuns: 150, examples: both.map((text) => [text, [...ALL_SCOPES]]) },
    );
    expect([...forms]).to.have.members([
      'facts as objects',
      'facts for graphql',
      'facts for graphql, cut',
      'claims as objects',
      'claims for graphql',
      'claims for graphql, cut',
    ]);
  });

  it('answer as graphql-js does for any variables', async () => {
    const document = parse(`query ($ids: [ID!]!, $p: ConsentPurpose = ANALYTICS, $first: Int) {
      profiles(customerIds: $ids, consentPurpose: $p) { facts { ${fullSelection('graphql')} } }
      customers(first: $first) { nodes { id } } }`);
    const compiled = fixture.compiler.compile(document, 'graphql');
    expect(told(compiled.forms.facts)).to.equal('for graphql');
    const variables = fc.record(
      {
        ids: fc.array(fc.constantFrom(...fixture.customers), { maxLength: 3 }),
        p: fc.constantFrom('PERSONALIZATION', 'SUPPORT', null),
        first: fc.constantFrom(1, 2, null),
      },
      { requiredKeys: ['ids'] },
    );
    await fc.assert(
      fc.asyncProperty(variables, async (values) => {
        const plain = await answer(fixture.plain(document), undefined, values);
        expectSame(await answer(compiled, undefined, values), plain);
      }),
      { numRuns: 40 },
    );
  });

  it('read documents as stored text, as cut text or as objects', () => {
    const full = fullSelection('graphql');
    const rest = fullSelection('rest');
    const fragment = `fragment f on ResolvedProfileFact { ${full} }`;
    const form = (facts: string, door: Door = 'graphql'): string => {
      const used = facts.includes('...f') ? fragment : '';
      const document = parse(`query { p: resolvedProfile(customerId: "a") { ${facts} } } ${used}`);
      return told(fixture.compiler.compile(document, door).forms.facts);
    };
    expect(form(`facts { ${full} }`)).to.equal('for graphql');
    expect(form('facts { ...f }')).to.equal('for graphql');
    expect(form(`all: facts { ${full} } facts { ${full} }`)).to.equal('for graphql');
    expect(form(`facts { ${rest} }`, 'rest')).to.equal('for rest');
    const swapped = full.replace('attribute resolvedValue', 'resolvedValue attribute');
    for (const facts of [
      `facts { ${rest} }`,
      `facts { ${full.replace('attribute', 'renamed: attribute')} }`,
      `facts { ${swapped} }`,
      `facts { ${full} __typename }`,
      `facts { __typename ...f }`,
      'facts { attribute }',
      'facts { evidence { again: id provenance { sourceSystem __typename } } }',
    ])
      expect(form(facts), facts).to.equal('for graphql, cut');
    expect(form(`facts { ${full} }`, 'rest')).to.equal('for graphql, cut');
    for (const facts of [
      `facts { ${full} again: attribute }`,
      'facts { attribute attribute }',
      'facts { attribute explanation { logOdds } }',
      'facts { evidence { id } again: evidence { source } }',
      `facts { ... @skip(if: false) { ${full} } }`,
      `facts { ${full} } other: facts { attribute }`,
      `other: facts { attribute } facts { ${full} }`,
      `facts { attribute } facts { attribute }`,
    ])
      expect(form(facts), facts).to.equal('as objects');
    const claims = (selection: string, door: Door): string => {
      const document = parse(`{ claims(customerId: "a") { nodes { ${selection} } } }`);
      return told(fixture.compiler.compile(document, door).forms.claims);
    };
    expect(claims(fullSelection('graphql', CLAIM_SHAPE), 'graphql')).to.equal('for graphql');
    expect(claims(fullSelection('rest', CLAIM_SHAPE), 'rest')).to.equal('for graphql, cut');
    expect(claims('id', 'graphql')).to.equal('for graphql, cut');
  });

  it('use shapes with the fields and enums of the schema', () => {
    const check = (typeName: string, shape: Shape): void => {
      const type = fixture.schema.getType(typeName);
      if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
      const fields = Object.values(type.getFields()).filter(({ name }) => name in shape);
      expect(fields.map(({ name }) => name)).to.deep.equal(Object.keys(shape));
      for (const field of fields) {
        const kind = shape[field.name];
        const named = getNamedType(field.type);
        const inner = kind && innerShape(kind);
        expect(isListType(getNullableType(field.type))).to.equal(inner !== undefined && inner !== kind);
        if (inner !== undefined) check(named.name, inner);
        else
          expect(kind).to.equal(
            isEnumType(named) ? 'enum' : named === AttributeValueScalar ? 'free' : 'value',
          );
      }
    };
    check('ResolvedProfileFact', FACT_SHAPE);
    check('Claim', CLAIM_SHAPE);
  });
});

function told(form: DocumentForm): string {
  if (form === 'objects') return 'as objects';
  return `for ${form.storedFor}${form.cut === undefined ? '' : ', cut'}`;
}

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
 * Where a null has spread over a sibling, whose error is late may tell it or not (GraphQL specification,
 * 6.4.4): of errors that only one of the two tells, each must lie under such a null.
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
