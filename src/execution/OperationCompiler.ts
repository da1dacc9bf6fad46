import { Kind } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../access/RequestContext.js';
import type { Door } from '../domain/factText.js';
import type { FactForm } from '../loaders/Loaders.js';
import { refuseDeviations } from './refuseDeviations.js';
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
  run: (context: RequestContext, variables: Record<string, unknown>) => ExecutionResult | Promise<ExecutionResult>;
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
    if (stored === undefined) return compileOn(this.schema, document, 'objects', operationName);
    return compileOn(this.storedFacts, stored, door, operationName);
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
  return { factForm, schema, document, run: (context, variables) => compiled.query(undefined, context, variables) };
}
