import { getVariableValues, Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { CompiledOperation, OperationCompiler } from '../execution/OperationCompiler.js';
import { checkCost } from './limits.js';

type Variables = Record<string, unknown>;

export interface OperationOptions {
  definition: OperationDefinitionNode;
  document: DocumentNode;
  weighed: boolean;
  compileAfter: number;
}

/** An operation of a valid document; compiled where it reads data and is asked for often enough. */
export class Operation {
  readonly definition: OperationDefinitionNode;
  private readonly compiler: OperationCompiler;
  private readonly document: DocumentNode;
  private readonly compileAfter: number;
  private weighed: boolean;
  private uses = 0;
  private named: string | undefined;
  /** Undefined until it is tried; null where it cannot be compiled. */
  private form: CompiledOperation | null | undefined;

  constructor(compiler: OperationCompiler, { definition, document, weighed, compileAfter }: OperationOptions) {
    this.compiler = compiler;
    this.definition = definition;
    this.document = document;
    this.weighed = weighed;
    this.compileAfter = compileAfter;
    if (!this.isRead || introspects(document)) this.form = null;
    else if (compileAfter === 0) this.form = this.compile();
  }

  get kind(): OperationTypeNode {
    return this.definition.operation;
  }

  /** The fields that it asks the schema for, comma-separated. */
  get rootFields(): string {
    this.named ??= this.definition.selectionSet.selections
      .map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '…'))
      .join(',');
    return this.named;
  }

  get isRead(): boolean {
    return this.kind === OperationTypeNode.QUERY;
  }

  /** The operation as code for these variables; undefined where graphql-js must execute it, or judge the variables. */
  compiled(variables: Variables): CompiledOperation | undefined {
    this.uses += 1;
    if (this.form === undefined && this.uses > this.compileAfter) this.form = this.compile();
    return this.form && this.accepts(variables) ? this.form : undefined;
  }

  /** @throws InvalidOperation when it costs more than one may */
  weigh(variables: Variables): void {
    if (!this.weighed) return;
    checkCost(this.compiler.schema, this.document, variables, this.definition.name?.value);
    this.weighed = dependsOnVariables(this.definition);
  }

  private accepts(variables: Variables): boolean {
    const { variableDefinitions = [] } = this.definition;
    return getVariableValues(this.compiler.schema, variableDefinitions, variables).errors === undefined;
  }

  private compile(): CompiledOperation | null {
    try {
      return this.compiler.compile(this.document, 'graphql', this.definition.name?.value);
    } catch {
      return null;
    }
  }
}

/** Whether numbers, lists or conditions that come with a request may change how many fields an operation touches. */
export function dependsOnVariables({ variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return variableDefinitions.some(({ type }) => !isPlainName(type));
}

/** `ID`, `String` and enums. */
function isPlainName(type: NonNullable<OperationDefinitionNode['variableDefinitions']>[number]['type']): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return (
    named.kind === Kind.NAMED_TYPE && ['ID', 'String', 'ConsentPurpose', 'IntentCategory'].includes(named.name.value)
  );
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
