import { Kind } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Door } from '../domain/door.js';
import { AS_OBJECTS } from '../documents/DocumentForms.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import { formsOf } from './formsOf.js';
import { printedFields, withLeaves } from './printedDocuments.js';
import type { PrintedFields } from './printedDocuments.js';
import { printedSchema } from './printedSchema.js';
import { refuseDeviations } from './refuseDeviations.js';
import { runExactly } from './runExactly.js';
import type { Run } from './runExactly.js';

/** An operation as machine-made code, for either door. */
export interface CompiledOperation {
  /** How its context must take documents; where any is printed, the answer is for `printSpliced`. */
  forms: DocumentForms;
  /** What it was compiled from: documents taken as text are leaves there. */
  schema: GraphQLSchema;
  document: DocumentNode;
  /** Answers as `execute` of graphql-js would. */
  run: Run;
}

/** Compiles operations on the guarded schema (graphql-jit), with text in the place of documents that can be printed from their shape. */
export class OperationCompiler {
  readonly schema: GraphQLSchema;
  /** By the fields that are leaves in them; made when first needed. */
  private readonly printed = new Map<string, GraphQLSchema>();

  constructor(guarded: GraphQLSchema) {
    this.schema = guarded;
  }

  /**
   * @param document valid against the schema
   * @param door by which the answer leaves
   * @throws Error when it cannot be compiled
   */
  compile(document: DocumentNode, door: Door, operationName?: string): CompiledOperation {
    const fields = hasOneOperation(document) ? printedFields(this.schema, document) : NONE;
    const forms = formsOf(door, fields);
    if (forms.print.size === 0) return this.compilePlain(document, operationName);
    const leaves = withLeaves(this.schema, document, new Set(forms.print.keys()));
    return compileOn(this.printedSchema([...forms.print.keys()]), leaves, forms, operationName);
  }

  /** The operation as it stands, documents as objects, for whoever prints answers by other means than `printSpliced`. */
  compilePlain(document: DocumentNode, operationName?: string): CompiledOperation {
    return compileOn(this.schema, document, AS_OBJECTS, operationName);
  }

  private printedSchema(places: readonly string[]): GraphQLSchema {
    const name = places.toSorted().join(' ');
    const schema = this.printed.get(name) ?? printedSchema(this.schema, new Set(places));
    this.printed.set(name, schema);
    return schema;
  }
}

const NONE: PrintedFields = new Map();

function hasOneOperation({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}

function compileOn(
  schema: GraphQLSchema,
  document: DocumentNode,
  forms: DocumentForms,
  operationName: string | undefined,
): CompiledOperation {
  refuseDeviations(document);
  const compiled = compileQuery(schema, document, operationName);
  if (!isCompiledQuery(compiled)) throw new Error(compiled.errors?.[0]?.message ?? 'The operation cannot be compiled.');
  const run: Run = (context, variables) => compiled.query(undefined, context, variables);
  return { forms, schema, document, run: runExactly(run, { schema, document, operationName }) };
}
