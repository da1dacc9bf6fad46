import { Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { OperationClass } from '../access/RateLimiter.js';
import type { CompiledOperation, OperationCompiler } from '../execution/OperationCompiler.js';
import { MAX_COST, operationCost } from '../execution/operationCost.js';
import type { Cost, OperationCost } from '../execution/operationCost.js';
import { InvalidOperation } from './InvalidOperation.js';
import { costProblem } from './limits.js';
import { rootClasses } from './rootClasses.js';
import { variableErrors } from './variableErrors.js';

type Variables = Record<string, unknown>;

/** An operation of a valid document. Queries are compiled when they are requested often enough. */
export class Operation {
  private readonly cost: OperationCost;
  private uses = 0;
  private named: string | undefined;
  /** Undefined before the first attempt; null when it cannot be compiled. */
  private form: CompiledOperation | null | undefined;
  /** The limit that it counts against; that of revocations when it contains nothing else. */
  readonly operationClass: OperationClass;

  constructor(
    private readonly compiler: OperationCompiler,
    readonly document: DocumentNode,
    readonly definition: OperationDefinitionNode,
    private readonly compileAfter: number,
  ) {
    const [one = 'read', ...others] = rootClasses(document, definition);
    this.operationClass = others.length === 0 ? one : 'write';
    this.cost = operationCost(compiler.schema, document, definition);
    if (!this.isRead || introspects(document)) this.form = null;
    else if (compileAfter === 0) this.form = this.compile();
  }

  get kind(): OperationTypeNode {
    return this.definition.operation;
  }

  /** Its root fields, comma-separated. */
  get rootFields(): string {
    this.named ??= this.definition.selectionSet.selections
      .map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '…'))
      .join(',');
    return this.named;
  }

  get isRead(): boolean {
    return this.kind === OperationTypeNode.QUERY;
  }

  /** Whether `compiled` compiles next time, which takes up to 30 ms. */
  get isToCompile(): boolean {
    return this.form === undefined && this.uses === this.compileAfter;
  }

  /** The compiled operation, for valid variables; undefined when graphql-js must execute it. */
  compiled(): CompiledOperation | undefined {
    this.uses += 1;
    if (this.form === undefined && this.uses > this.compileAfter) this.form = this.compile();
    return this.form ?? undefined;
  }

  /**
   * Its maximum cost.
   *
   * @throws InvalidOperation when that exceeds the limit of an operation, or the variables are not valid
   */
  check(variables: Variables): Cost {
    const cost = this.cost.fixed ?? this.cost.of(variables);
    if (cost.fields > MAX_COST) {
      const advice = cost.introspected > 0 ? 'Introspect less at once.' : 'Ask for smaller pages.';
      throw InvalidOperation.because(`The operation ${costProblem(cost.fields)}. ${advice}`);
    }
    const { variableDefinitions = [] } = this.definition;
    const problems = variableErrors(this.compiler.schema, variableDefinitions, variables);
    if (problems !== undefined) throw new InvalidOperation(problems);
    return cost;
  }

  private compile(): CompiledOperation | null {
    try {
      return this.compiler.compile(this.document, 'graphql', this.definition.name?.value);
    } catch {
      return null;
    }
  }
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
