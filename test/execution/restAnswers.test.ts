import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { expect } from 'chai';
import fc from 'fast-check';
import { execute, getNullableType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import type {
  FieldNode,
  GraphQLFieldConfigArgumentMap,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import { executableRoute } from '../../rest-bridge/executableRoute.js';
import { allRoutes } from '../../rest-bridge/routes/allRoutes.js';
import type { AppCaller } from '../../src/access/Caller.js';
import { createContext } from '../../src/access/createContext.js';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { inForm } from '../../src/documents/DocumentForms.js';
import type { DocumentForm, TextForm } from '../../src/documents/DocumentForms.js';
import { claimText, factText } from '../../src/documents/documentText.js';
import { StoredText } from '../../src/documents/StoredText.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { TestService } from '../support/TestService.js';
import { renderRest } from './renderRest.js';

type Result = Record<string, unknown>;

describe('Answers of /v1', () => {
  let service: TestService;
  let result: Result;
  const schema = withoutResolvers(buildGuardedSchema(), () => result);
  const compiler = new OperationCompiler(schema);

  before(async () => {
    service = await TestService.start({ ROLE: 'gateway' });
  });
  after(() => service.stop());

  for (const route of allRoutes) {
    it(`of ${route.operation} omit null, and have enums and free-form values as REST does`, async () => {
      const { operation, document, field, selection } = executableRoute(compiler, route);
      const results = existing(field.type, selection) as fc.Arbitrary<Result>;
      await fc.assert(
        fc.asyncProperty(results, async (generated) => {
          result = generated;
          const plain = await execute({ schema, document });
          expect(plain.errors).to.equal(undefined);
          // As text before the same values are printed: a printer that changed them would change both.
          const rendered = JSON.stringify(renderRest(schema, document, plain.data?.['result']));
          const { facts, claims } = operation.forms;
          if ('facts' in generated) result = { ...generated, facts: asText(facts, generated['facts']) };
          if (claims !== 'objects') result = { ...generated, nodes: asText(claims, generated['nodes']) };
          expect(await printed(operation)).to.equal(rendered);
        }),
        { numRuns: 30 },
      );
    });
  }

  async function printed({ run, print, forms }: CompiledOperation): Promise<string> {
    const caller: AppCaller = { kind: 'app', appId: 'app_1', clientId: 'app_1', scopes: new Set() };
    const context = createContext(service.services, caller, 'req_test', forms);
    const { data, errors } = await run(undefined, context, {});
    expect(errors).to.equal(undefined);
    return print(data?.['result']);
  }
});

/** The schema with plain members and optional arguments. Each of its operations has the same result. */
function withoutResolvers(schema: GraphQLSchema, result: () => Result): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: ({ args = {}, ...field }) => ({
      ...field,
      args: optional(args),
      resolve: result,
    }),
    [MapperKind.OBJECT_FIELD]: ({ resolve: _own, ...field }) => field,
  });
}

function optional(args: GraphQLFieldConfigArgumentMap): GraphQLFieldConfigArgumentMap {
  const mapped = Object.entries(args).map(([name, arg]) => [
    name,
    { ...arg, type: getNullableType(arg.type) },
  ]);
  return Object.fromEntries(mapped) as GraphQLFieldConfigArgumentMap;
}

function asText(form: DocumentForm, documents: unknown): unknown {
  expect(form).not.to.equal('objects');
  const { storedFor, cut } = form as TextForm;
  const print = cut === undefined ? (fact: object): string => factText(storedFor, fact) : claimText;
  const texts = (documents as object[]).map(print);
  return inForm(form, new StoredText(`[${texts.join(',')}]`, texts.length), () => []);
}

function valueOf(type: GraphQLOutputType, selection: SelectionSetNode | undefined): fc.Arbitrary<unknown> {
  const value = existing(type, selection);
  return isNonNullType(type) ? value : fc.oneof(value, value, fc.constantFrom(null, undefined));
}

function existing(type: GraphQLOutputType, selection: SelectionSetNode | undefined): fc.Arbitrary<unknown> {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return fc.array(valueOf(nullable.ofType, selection), { maxLength: 3 });
  if (isEnumType(nullable)) return fc.constantFrom(...nullable.getValues().map(({ value }) => value));
  if (!isObjectType(nullable)) return SCALARS[nullable.name] ?? TEXT;
  const members = ((selection?.selections ?? []) as readonly FieldNode[]).map(({ name, selectionSet }) => {
    const field = nullable.getFields()[name.value];
    if (field === undefined) throw new Error(`${nullable.name} has no field ${name.value}.`);
    return [name.value, valueOf(field.type, selectionSet)] as const;
  });
  return fc.record(Object.fromEntries(members));
}

/** With the names of enum values, and what must be escaped. */
const TEXT = fc.oneof(fc.constantFrom('', 'ANALYTICS', 'analytics', '"\\\u2028', '\ud800'), fc.string());

/** With nulls at any depth, and names that REST spells otherwise. */
const FREE = fc.letrec<{ value: unknown; object: object; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(TEXT, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
  object: fc.dictionary(fc.oneof(TEXT, fc.constantFrom('hasMore', '__proto__', '0')), tie('value')),
  value: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('object'), fc.array(tie('value'))),
}));

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  Float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  Boolean: fc.boolean(),
  JSONObject: FREE.object,
  AttributeValue: FREE.value.filter((value) => value !== null),
};
