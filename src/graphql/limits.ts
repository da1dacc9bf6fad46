import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { GraphQLError } from 'graphql';
import type { ValidationContext, ValidationRule } from 'graphql';
import { MAX_COST } from '../execution/operationCost.js';

/** Maximum size of the body of an operation that ingests, and of a socket's message. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Maximum size of the body of any other operation. */
export const MAX_PLAIN_BODY_BYTES = 1024 * 1024;
/** Counted as bytes of UTF-8. */
export const MAX_DOCUMENT_BYTES = 100 * 1024;
export const MAX_TOKENS = 2000;
/** Maximum operations of a document, of which one runs. */
export const MAX_OPERATIONS = 25;
/** Maximum pairs that validation compares (`mergeWork`). */
export const MAX_MERGE_WORK = 2000;
const MAX_DEPTH = 12;
const MAX_ALIASES = 15;

/** What is wrong with an operation that resolves more than `MAX_COST` fields. */
export function costProblem(fields: number): string {
  const counted = fields === Infinity ? `more than ${MAX_COST}` : String(fields);
  return `costs ${counted} fields; at most ${MAX_COST} are allowed`;
}

/**
 * Reported like any other validation error. By default these rules throw, which would count as an internal
 * error, and call it a syntax error.
 */
const REPORTED = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError) =>
      context?.reportError(new GraphQLError(message.replace('Syntax Error: ', ''))),
  ],
};

/** Depth and alias limits as validation rules. */
export const limitRules: readonly ValidationRule[] = [
  maxDepthRule({
    n: MAX_DEPTH,
    ignoreIntrospection: true,
    flattenFragments: true,
    ...REPORTED,
  }) as unknown as ValidationRule,
  maxAliasesRule({ n: MAX_ALIASES, allowList: [], ...REPORTED }) as unknown as ValidationRule,
];
