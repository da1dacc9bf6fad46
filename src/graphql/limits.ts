import { createRequire } from 'node:module';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError } from 'graphql';
import type { DocumentNode, GraphQLSchema, ValidationContext, ValidationRule } from 'graphql';
import type { ComplexityEstimator, getComplexity as GetComplexity } from 'graphql-query-complexity';
import { InvalidOperation } from './InvalidOperation.js';

/** Its ES module loads `graphql/index.mjs`, a second instance beside the one that everybody else uses. */
const { getComplexity } = createRequire(import.meta.url)('graphql-query-complexity') as {
  getComplexity: typeof GetComplexity;
};

export const MOST_DEPTH = 12;
export const MOST_ALIASES = 15;
/** Fields that one operation may touch, lists counted by the size asked for. */
export const MOST_COST = 20_000;

const DEFAULT_PAGE = 25;
/** Most items that a page or a bulk read holds. */
export const MOST_ITEMS = 100;

/** Reported as any other error of validation: thrown, as these rules would by default, it would count as our own failure. */
const REPORTED = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Depth and alias limits as validation rules (decisions 18). */
export const limitRules: readonly ValidationRule[] = [
  maxDepthRule({
    n: MOST_DEPTH,
    ignoreIntrospection: true,
    flattenFragments: true,
    ...REPORTED,
  }) as unknown as ValidationRule,
  maxAliasesRule({ n: MOST_ALIASES, ...REPORTED }) as unknown as ValidationRule,
];

/** Lists cost their items: the page asked for, or the ids named. */
const byListSize: ComplexityEstimator = ({ field, args, childComplexity }) => {
  const ids = Object.values(args).find(Array.isArray) as unknown[] | undefined;
  const paged = field.args.some(({ name }) => name === 'first');
  const size = paged ? Number(args['first'] ?? DEFAULT_PAGE) : (ids?.length ?? 1);
  return 1 + Math.max(size, 1) * childComplexity;
};

/** The operation's cost in fields. */
export function costOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName?: string,
): number {
  return getComplexity({
    schema,
    query,
    variables,
    ...(operationName === undefined ? {} : { operationName }),
    estimators: [byListSize],
  });
}

/** Undefined where the variables do not fit the operation: such a one is refused with the reason and never runs. */
export function knownCost(...operation: Parameters<typeof costOf>): number | undefined {
  try {
    return costOf(...operation);
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** @throws InvalidOperation when the operation costs more than one may */
export function checkCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName?: string,
): void {
  const cost = knownCost(schema, query, variables, operationName);
  if (cost === undefined || cost <= MOST_COST) return;
  const message = `The operation costs ${cost} fields; at most ${MOST_COST} are allowed. Ask for smaller pages.`;
  throw new InvalidOperation([new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })]);
}
