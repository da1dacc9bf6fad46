import { Kind } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import type { Door } from '../domain/door.js';
import { printSpliced } from '../documents/StoredText.js';
import { refuseDeviations } from './refuseDeviations.js';
import { runExactly } from './runExactly.js';
import type { Run } from './runExactly.js';
import { splicedSchema } from './splicedSchema.js';
import { wholeDocuments, withLeaves } from './wholeDocuments.js';

/** An operation compiled to JavaScript, for GraphQL or REST. */
export interface CompiledOperation {
  /** The form in which its loaders must return documents. */
  forms: DocumentForms;
  /** The schema that it was compiled on: documents returned as text are leaves there. */
  schema: GraphQLSchema;
  document: DocumentNode;
  /**
   * For GraphQL, returns the same result as `execute` of graphql-js. REST shows one error of an operation, so
   * it may tell more of them, in another order.
   */
  run: Run;
  /** Prints its result, or a part of it, as JSON. */
  print: (value: unknown) => string;
}

/**
 * Compiles operations on the guarded schema (graphql-jit). Documents that are selected as a whole are
 * replaced by stored text.
 */
export class OperationCompiler {
  readonly schema: GraphQLSchema;
  /** By the fields that are leaves in them; created when first needed. */
  private readonly spliced = new Map<string, GraphQLSchema>();

  constructor(guarded: GraphQLSchema) {
    this.schema = guarded;
  }

  /**
   * @param document valid against the schema
   * @param door the interface of the answer
   * @throws Error when it cannot be compiled
   */
  compile(document: DocumentNode, door: Door, operationName?: string): CompiledOperation {
    const whole = hasOneOperation(document) ? wholeDocuments(this.schema, document, door) : new Set<string>();
    if (whole.size === 0) {
      const run = compileOn(this.schema, document, door, operationName);
      return { forms: AS_OBJECTS, schema: this.schema, document, run, print: JSON.stringify };
    }
    const schema = this.splicedSchema(whole);
    const leaves = withLeaves(this.schema, document, whole);
    const forms: DocumentForms = {
      facts: whole.has('ResolvedProfile.facts') ? door : 'objects',
      claims: whole.has('ClaimConnection.nodes') ? 'graphql' : 'objects',
    };
    const run = compileOn(schema, leaves, door, operationName);
    return { forms, schema, document: leaves, run, print: printSpliced };
  }

  private splicedSchema(places: ReadonlySet<string>): GraphQLSchema {
    const name = [...places].toSorted().join(' ');
    const schema = this.spliced.get(name) ?? splicedSchema(this.schema, places);
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
  door: Door,
  operationName: string | undefined,
): Run {
  refuseDeviations(document);
  const compiled = compileQuery(schema, document, operationName);
  if (!isCompiledQuery(compiled))
    throw new Error(compiled.errors?.[0]?.message ?? 'The operation cannot be compiled.');
  const { query } = compiled;
  return door === 'rest' ? query : runExactly(query, { schema, document, operationName });
}
