import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import type { GraphQLError, ValidationContext, ValidationRule } from 'graphql';

/** Largest body of an operation, and largest message of a socket. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Characters of a document are counted as bytes of UTF-8. */
export const MAX_DOCUMENT_BYTES = 100 * 1024;
export const MAX_TOKENS = 2000;
/** Operations of a document, of which one runs. */
export const MAX_OPERATIONS = 25;
/** Pairs that validation compares (`mergeWork`). */
export const MAX_MERGE_WORK = 2000;
export const MAX_DEPTH = 12;
export const MAX_ALIASES = 15;
/** Fields that one operation may touch, lists counted by the size asked for. */
export const MAX_COST = 20_000;

/**
 * Reported as any other error of validation: thrown, as these rules would by default, it would count as our
 * own failure.
 */
const REPORTED = {
  propagateOnRejection: false,
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
};

/** Depth and alias limits as validation rules. */
export const limitRules: readonly ValidationRule[] = [
  maxDepthRule({
    n: MAX_DEPTH,
    ignoreIntrospection: true,
    flattenFragments: true,
    ...REPORTED,
  }) as unknown as ValidationRule,
  maxAliasesRule({ n: MAX_ALIASES, ...REPORTED }) as unknown as ValidationRule,
];
