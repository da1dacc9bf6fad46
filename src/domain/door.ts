import { snakeCase } from './snakeCase.js';

/**
 * The doors' spellings: GraphQL's camel case, upper-case enums and nulls; REST's snake case, lower-case enums
 * and no nulls.
 */
export type Door = 'graphql' | 'rest';

/** How a door names a member. */
export function memberName(door: Door, member: string): string {
  return door === 'graphql' ? member : snakeCase(member);
}
