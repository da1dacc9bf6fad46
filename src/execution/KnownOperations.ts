import { getVariableValues, Kind } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CompiledOperation, OperationCompiler } from './OperationCompiler.js';
import { operationNamed } from './operationNamed.js';

/** A client's operation that was found valid, cheap enough and free of introspection. */
export interface KnownOperation {
  definition: OperationDefinitionNode;
  document: DocumentNode;
  operationName: string | undefined;
  /** Undefined until it was asked for often enough; null when it cannot be compiled. */
  compiled: CompiledOperation | null | undefined;
  uses: number;
  /** Whether its cost depends on variables, so that each request must be weighed. */
  weighed: boolean;
}

export interface KnownOptions {
  /** Most operations remembered: a compiled one holds about 0.1 MB. */
  capacity?: number;
  /** Uses after which an operation is worth compiling, which takes 1 to 30 ms. */
  compileAfter?: number;
}

/** Queries that clients sent before, by their text and by its hash, the longest unused forgotten first. */
export class KnownOperations {
  readonly compiler: OperationCompiler;
  private readonly capacity: number;
  private readonly compileAfter: number;
  /** In the order of use, the oldest first. */
  private readonly known = new Map<string, KnownOperation>();

  constructor(compiler: OperationCompiler, { capacity = 300, compileAfter = 2 }: KnownOptions = {}) {
    this.compiler = compiler;
    this.capacity = capacity;
    this.compileAfter = compileAfter;
  }

  get size(): number {
    return this.known.size;
  }

  /** Remembers an operation that passed every check. Mutations and introspection are not for here. */
  remember(key: string, document: DocumentNode, operationName: string | undefined): void {
    const definition = operationNamed(document, operationName);
    if (this.known.has(key) || definition?.operation !== 'query' || introspects(document)) return;
    const weighed = definition.variableDefinitions?.some(({ type }) => !isPlainName(type)) ?? false;
    this.known.set(key, { definition, document, operationName, compiled: undefined, uses: 0, weighed });
    const [oldest] = this.known.keys();
    if (this.known.size > this.capacity && oldest !== undefined) this.known.delete(oldest);
  }

  /** The operation, compiled, when it has been asked for often enough. */
  find(key: string): (KnownOperation & { compiled: CompiledOperation }) | undefined {
    const operation = this.known.get(key);
    if (operation === undefined) return undefined;
    this.known.delete(key);
    this.known.set(key, operation);
    operation.uses += 1;
    if (operation.compiled === undefined && operation.uses >= this.compileAfter)
      operation.compiled = this.compiled(operation);
    return isCompiled(operation) ? operation : undefined;
  }

  /** Whether graphql-js takes the variables: what it would refuse is not for compiled code to judge. */
  accepts({ definition }: KnownOperation, variables: Record<string, unknown>): boolean {
    return (
      getVariableValues(this.compiler.schema, definition.variableDefinitions ?? [], variables).errors === undefined
    );
  }

  private compiled({ document, operationName }: KnownOperation): CompiledOperation | null {
    try {
      return this.compiler.compile(document, 'graphql', operationName);
    } catch {
      return null;
    }
  }
}

/** The key of an operation by its text, or by the hash of its text. */
export function operationKey(source: { text: string } | { hash: string }, operationName: string | undefined): string {
  const what = 'text' in source ? `text ${source.text}` : `hash ${source.hash}`;
  return `${operationName ?? ''} ${what}`;
}

function isCompiled(operation: KnownOperation): operation is KnownOperation & { compiled: CompiledOperation } {
  return operation.compiled !== undefined && operation.compiled !== null;
}

function introspects(document: DocumentNode): boolean {
  return document.definitions.some(
    (definition) =>
      'selectionSet' in definition &&
      definition.selectionSet.selections.some(
        (node) => node.kind !== Kind.FIELD || /^__(schema|type)$/.test(node.name.value),
      ),
  );
}

/** `ID`, `String` and enums cannot change how many fields an operation touches; numbers, lists and conditions may. */
function isPlainName(type: NonNullable<OperationDefinitionNode['variableDefinitions']>[number]['type']): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return (
    named.kind === Kind.NAMED_TYPE && ['ID', 'String', 'ConsentPurpose', 'IntentCategory'].includes(named.name.value)
  );
}
