import { isJsonObject } from './jsonValue.js';

/** What a member of a configuration file may hold. */
export interface MemberRule {
  isValid: (value: unknown) => boolean;
  /** Completes "must be". */
  needs: string;
}

/** Days in which something halves, or null for never. Zero would forget at once, and less would grow. */
export function isHalfLife(value: unknown): boolean {
  return value === null || (isAmount(value) && value !== 0);
}

/** Whether a value is a number that is not negative. */
export function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** @throws Error naming every problem, unless there is none */
export function refuseProblems(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what}:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
}

/**
 * What is wrong with the members of the object `name`, a sentence for each.
 *
 * @param ruleOf undefined for a member that is not known
 */
export function memberProblems(
  name: string,
  given: unknown,
  ruleOf: (member: string) => MemberRule | undefined,
): string[] {
  if (!isJsonObject(given)) return [`${name} must be an object.`];
  return Object.entries(given).flatMap(([member, value]) => {
    const rule = ruleOf(member);
    if (rule === undefined) return [`${name}.${member} is not known.`];
    return rule.isValid(value) ? [] : [`${name}.${member} must be ${rule.needs}.`];
  });
}
