import { Kind } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Door } from '../domain/factText.js';
import type { FactForm } from '../loaders/Loaders.js';
import { refuseDeviations } from './refuseDeviations.js';
import { runExactly } from './runExactly.js';
import type { Run } from './runExactly.js';
import { withStoredFacts } from './storedFacts.js';
import { storedFactsSchema } from './storedFactsSchema.js';

/** An operation as machine-made code, for either door. */
export interface CompiledOperation {
  /** The form in which its context's loaders must read facts. */
  factForm: FactForm;
  /** What it was compiled from: facts taken as text are leaves there. */
  schema: GraphQLSchema;
  document: DocumentNode;
  /** Answers as `execute` of graphql-js would. */
  run: Run;
}

/** Compiles operations on the guarded schema (graphql-jit), with stored text in the place of facts selected whole. */
export class OperationCompiler {
  readonly schema: GraphQLSchema;
  private readonly storedFacts: GraphQLSchema;

  constructor(guarded: GraphQLSchema) {
    this.schema = guarded;
    this.storedFacts = storedFactsSchema(guarded);
  }

  /**
   * @param document valid against the schema
   * @param door by which the answer leaves
   * @throws Error when it cannot be compiled
   */
  compile(document: DocumentNode, door: Door, operationName?: string): CompiledOperation {
    const stored = hasOneOperation(document) ? withStoredFacts(this.schema, document, door) : undefined;
    if (stored === undefined) return this.compilePlain(document, operationName);
    return compileOn(this.storedFacts, stored, door, operationName);
  }

  /** The operation as it stands, facts as objects, for whoever prints answers by other means than `printSpliced`. */
  compilePlain(document: DocumentNode, operationName?: string): CompiledOperation {
    return compileOn(this.schema, document, 'objects', operationName);
  }
}

function hasOneOperation({ definitions }: DocumentNode): boolean {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length === 1;
}

function compileOn(
  schema: GraphQLSchema,
  document: DocumentNode,
  factForm: FactForm,
  operationName: string | undefined,
): CompiledOperation {
  refuseDeviations(document);
  const compiled = compileQuery(schema, document, operationName);
  if (!isCompiledQuery(compiled)) throw new Error(compiled.errors?.[0]?.message ?? 'The operation cannot be compiled.');
  const run: Run = (context, variables) => compiled.query(undefined, context, variables);
  return { factForm, schema, document, run: runExactly(run, { schema, document, operationName }) };
}
