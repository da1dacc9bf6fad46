import { getVariableValues, Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CompiledOperation, OperationCompiler } from './OperationCompiler.js';
import { operationNamed } from './operationNamed.js';
import type { TrustedDocument } from './TrustedDocument.js';

/** A client's operation that was found valid, cheap enough and free of introspection. */
export interface KnownOperation {
  definition: OperationDefinitionNode;
  document: DocumentNode;
  operationName: string | undefined;
  /** Undefined until it was asked for often enough; null when it cannot be compiled. */
  compiled: CompiledOperation | null | undefined;
  uses: number;
  /** The same for Apollo Server, which prints answers itself: facts as objects. */
  plain: CompiledOperation | null | undefined;
  plainUses: number;
  /** Whether its cost depends on variables, so that each request must be weighed. */
  weighed: boolean;
}

export interface KnownOptions {
  /** Most operations remembered: a compiled one holds about 0.1 MB. */
  capacity?: number;
  /** Most characters that their texts have together: what is kept of an operation grows with its text. */
  characters?: number;
  /** Uses after which an operation is worth compiling, which takes 1 to 30 ms. */
  compileAfter?: number;
  /** Whether none but those of trusted documents are kept and found. */
  trustedOnly?: boolean;
}

/** No operation takes more than one of so many equal shares of the characters: one alone must not push out the others. */
const SHARES = 16;

/** What names an operation's document: its text, or the SHA-256 of that. */
export type Source = { text: string } | { hash: string };

/**
 * Queries that clients sent before, by their text and by its hash, the longest unused forgotten first. Apart from them, and
 * never forgotten, those of trusted documents.
 */
export class KnownOperations {
  readonly compiler: OperationCompiler;
  readonly trustedOnly: boolean;
  private readonly capacity: number;
  private readonly characters: number;
  private held = 0;
  private readonly compileAfter: number;
  /** In the order of use, the oldest first. */
  private readonly known = new Map<string, KnownOperation>();
  private readonly trusted = new Map<string, KnownOperation>();
  private readonly documents = new Map<string, TrustedDocument>();
  private readonly texts = new Set<string>();

  constructor(
    compiler: OperationCompiler,
    { capacity = 300, characters = 1024 * 1024, compileAfter = 2, trustedOnly = false }: KnownOptions = {},
  ) {
    this.compiler = compiler;
    this.trustedOnly = trustedOnly;
    this.capacity = capacity;
    this.characters = characters;
    this.compileAfter = compileAfter;
  }

  get size(): number {
    return this.known.size;
  }

  /** Remembers an operation that passed every check. Mutations and introspection are not for here. */
  remember(key: string, document: DocumentNode, operationName: string | undefined): void {
    if (
      this.trustedOnly ||
      this.trusted.has(key) ||
      this.known.has(key) ||
      lengthOf(document) > this.characters / SHARES
    )
      return;
    const definition = operationNamed(document, operationName);
    if (definition === undefined || !isRead(definition, document)) return;
    this.known.set(key, knownOperation(definition, document, operationName, dependsOnVariables(definition)));
    this.held += lengthOf(document);
    this.forgetOldest();
  }

  /** Registers a trusted document and compiles its queries. */
  trust(trusted: TrustedDocument): void {
    this.documents.set(trusted.hash, trusted);
    this.texts.add(trusted.text);
    const names = trusted.document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
    );
    for (const name of names) this.trustOperation(trusted, name, names.length === 1);
  }

  /** The trusted document of a hash (hex). */
  trustedDocument(hash: string): TrustedDocument | undefined {
    return this.documents.get(hash);
  }

  isTrusted(source: Source): boolean {
    return 'text' in source ? this.texts.has(source.text) : this.documents.has(source.hash);
  }

  /** The operation, compiled, when it is trusted or has been asked for often enough. */
  find(key: string): (KnownOperation & { compiled: CompiledOperation }) | undefined {
    const operation = this.trusted.get(key) ?? this.used(key);
    if (operation === undefined) return undefined;
    operation.uses += 1;
    if (operation.compiled === undefined && operation.uses >= this.compileAfter)
      operation.compiled = this.compile(operation);
    return isCompiled(operation) ? operation : undefined;
  }

  /** The same for Apollo Server, compiled with facts as objects. */
  findPlain(key: string): (KnownOperation & { plain: CompiledOperation }) | undefined {
    const operation = this.trusted.get(key) ?? this.used(key);
    if (operation === undefined) return undefined;
    operation.plainUses += 1;
    if (operation.plain === undefined && operation.plainUses >= this.compileAfter)
      operation.plain = this.compilePlain(operation);
    return isPlain(operation) ? operation : undefined;
  }

  /** Whether graphql-js takes the variables: what it would refuse is not for compiled code to judge. */
  accepts({ definition }: KnownOperation, variables: Record<string, unknown>): boolean {
    return (
      getVariableValues(this.compiler.schema, definition.variableDefinitions ?? [], variables).errors === undefined
    );
  }

  private forgetOldest(): void {
    for (const [key, { document }] of this.known) {
      if (this.known.size <= this.capacity && this.held <= this.characters) return;
      this.known.delete(key);
      this.held -= lengthOf(document);
    }
  }

  private used(key: string): KnownOperation | undefined {
    const operation = this.known.get(key);
    if (operation === undefined) return undefined;
    this.known.delete(key);
    this.known.set(key, operation);
    return operation;
  }

  private trustOperation(
    { hash, text, document, weighed }: TrustedDocument,
    name: string | undefined,
    alone: boolean,
  ): void {
    const definition = operationNamed(document, name);
    if (definition === undefined || !isRead(definition, document)) return;
    const operation = knownOperation(definition, document, name, weighed);
    operation.compiled = this.compile(operation);
    for (const asked of alone ? [name, undefined] : [name])
      for (const source of [{ hash }, { text }]) this.trusted.set(operationKey(source, asked), operation);
  }

  private compile({ document, operationName }: KnownOperation): CompiledOperation | null {
    return orNull(() => this.compiler.compile(document, 'graphql', operationName));
  }

  private compilePlain({ document, operationName, compiled }: KnownOperation): CompiledOperation | null {
    if (compiled?.forms.print.size === 0) return compiled;
    return orNull(() => this.compiler.compilePlain(document, operationName));
  }
}

/** The key of an operation by its text, or by the hash of its text. */
export function operationKey(source: Source, operationName: string | undefined): string {
  const what = 'text' in source ? `text ${source.text}` : `hash ${source.hash}`;
  return operationName === undefined ? what : `${JSON.stringify(operationName)} ${what}`;
}

/** Whether numbers, lists or conditions that come with a request may change how many fields an operation touches. */
export function dependsOnVariables({ variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return variableDefinitions.some(({ type }) => !isPlainName(type));
}

function knownOperation(
  definition: OperationDefinitionNode,
  document: DocumentNode,
  operationName: string | undefined,
  weighed: boolean,
): KnownOperation {
  const untried = { compiled: undefined, uses: 0, plain: undefined, plainUses: 0 };
  return { definition, document, operationName, weighed, ...untried };
}

function orNull(compile: () => CompiledOperation): CompiledOperation | null {
  try {
    return compile();
  } catch {
    return null;
  }
}

function isCompiled(operation: KnownOperation): operation is KnownOperation & { compiled: CompiledOperation } {
  return operation.compiled !== undefined && operation.compiled !== null;
}

function isPlain(operation: KnownOperation): operation is KnownOperation & { plain: CompiledOperation } {
  return operation.plain !== undefined && operation.plain !== null;
}

function lengthOf({ loc }: DocumentNode): number {
  return loc?.source.body.length ?? 0;
}

function isRead({ operation }: OperationDefinitionNode, document: DocumentNode): boolean {
  return operation === OperationTypeNode.QUERY && !introspects(document);
}

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      if (name.value === '__schema' || name.value === '__type') found = true;
    },
  });
  return found;
}

/** `ID`, `String` and enums. */
function isPlainName(type: NonNullable<OperationDefinitionNode['variableDefinitions']>[number]['type']): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return (
    named.kind === Kind.NAMED_TYPE && ['ID', 'String', 'ConsentPurpose', 'IntentCategory'].includes(named.name.value)
  );
}
