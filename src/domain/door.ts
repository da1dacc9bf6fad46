import { snakeCase } from './snakeCase.js';

/**
 * The API's two spellings. GraphQL: camel case, upper-case enums, nulls. REST: snake case, lower-case enums,
 * no nulls.
 */
export type Door = 'graphql' | 'rest';

export function memberName(door: Door, member: string): string {
  return door === 'graphql' ? member : snakeCase(member);
}
