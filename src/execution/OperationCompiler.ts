import { isEnumType, isLeafType, isSpecifiedScalarType, Kind } from 'graphql';
import type { DocumentNode, GraphQLLeafType, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { DocumentForms, TextForm } from '../documents/DocumentForms.js';
import type { Door } from '../domain/door.js';
import { FreeForm } from '../documents/FreeForm.js';
import { omitNulls, printSpliced } from '../documents/StoredText.js';
import { refuseDeviations } from './refuseDeviations.js';
import { runExactly } from './runExactly.js';
import type { Run } from './runExactly.js';
import { splicedSchema } from './splicedSchema.js';
import { textForms, withLeaves } from './textForms.js';

/** An operation compiled to JavaScript, for GraphQL or REST. */
export interface CompiledOperation {
  /** The form in which its loaders must return documents. */
  forms: DocumentForms;
  /**
   * For GraphQL, returns the same result as `execute` of graphql-js. REST has an enum's value instead of its
   * name, and shows one error of an operation, so it may tell more of them, in another order.
   */
  run: Run;
  /** Prints its result, or a part of it, as JSON. REST omits members without a value. */
  print: (value: unknown) => string;
}

/**
 * Compiles operations on the guarded schema (graphql-jit). Documents are answered with stored text, whole or
 * cut, where their selection allows it.
 */
export class OperationCompiler {
  /** By the fields that are leaves in them; created when first needed. */
  private readonly spliced: Map<string, GraphQLSchema>;
  private readonly restLeaves: Leaves;

  /** @param schema guarded */
  constructor(readonly schema: GraphQLSchema) {
    this.spliced = new Map([['', schema]]);
    this.restLeaves = restLeaves(schema);
  }

  /**
   * @param document valid against the schema
   * @param door the interface of the answer
   * @throws Error when it cannot be compiled
   */
  compile(document: DocumentNode, door: Door, operationName?: string): CompiledOperation {
    const asText = hasOneOperation(document)
      ? textForms(this.schema, document, door)
      : new Map<string, TextForm>();
    const schema = this.splicedSchema([...asText.keys()]);
    const leaves = withLeaves(this.schema, document, asText);
    refuseDeviations(leaves);
    const forms: DocumentForms = {
      facts: asText.get('ResolvedProfile.facts') ?? 'objects',
      claims: asText.get('ClaimConnection.nodes') ?? 'objects',
    };
    if (door === 'rest') {
      const run = compileOn(schema, leaves, operationName, this.restLeaves);
      return { forms, run, print: (value) => printSpliced(omitNulls(value)) };
    }
    const query = compileOn(schema, leaves, operationName);
    return {
      forms,
      run: runExactly(query, { schema, document: leaves, operationName }),
      print: printSpliced,
    };
  }

  private splicedSchema(places: readonly string[]): GraphQLSchema {
    const name = places.toSorted().join(' ');
    const schema = this.spliced.get(name) ?? splicedSchema(this.schema, new Set(places));
    this.spliced.set(name, schema);
    return schema;
  }
}

function hasOneOperation({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}

function compileOn(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  customSerializers: Leaves = {},
): Run {
  const compiled = compileQuery(schema, document, operationName, { customSerializers });
  if (!isCompiledQuery(compiled))
    throw new Error(compiled.errors?.[0]?.message ?? 'The operation cannot be compiled.');
  return compiled.query;
}

/** Converts the value of a leaf, by its type. */
type Leaves = Record<string, (value: unknown) => unknown>;

/** The leaves of REST: enum values as the service has them, free-form values apart from members. */
function restLeaves(schema: GraphQLSchema): Leaves {
  const types = Object.values(schema.getTypeMap()).filter(isLeafType);
  const own = types.filter((type) => !isSpecifiedScalarType(type));
  return Object.fromEntries(own.map((type) => [type.name, restLeaf(type)]));
}

function restLeaf(type: GraphQLLeafType): (value: unknown) => unknown {
  return (value) => {
    const leaf = type.serialize(value);
    if (isEnumType(type)) return type.parseValue(leaf);
    return typeof leaf === 'object' && !(leaf instanceof FreeForm) ? new FreeForm(leaf) : leaf;
  };
}
