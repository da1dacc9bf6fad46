import { memberName } from '../domain/door.js';
import type { Door } from '../domain/door.js';
import { innerShape } from './factShape.js';
import type { MemberKind, Shape } from './factShape.js';

/** JSON of a document. */
export type Printer = (value: object) => string;

type Members = Record<string, unknown>;
type PrintMember = (value: unknown) => string;

interface Printed {
  /** What stands before the value, as the first member and as another one. */
  first: string;
  next: string;
  member: string;
  print: PrintMember;
}

/**
 * Prints documents of a shape: byte for byte what executing their full selection and printing the result
 * gives.
 */
export function compilePrinter(door: Door, shape: Shape): Printer {
  const leavesOut = door === 'rest';
  const printed = Object.entries(shape).map(([member, kind]): Printed => {
    const name = JSON.stringify(memberName(door, member));
    return { first: `{${name}:`, next: `,${name}:`, member, print: memberPrinter(door, kind) };
  });
  return (value) => {
    let text = '';
    for (const { first, next, member, print } of printed) {
      const held = (value as Members)[member];
      if (leavesOut && (held === null || held === undefined)) continue;
      text += text === '' ? first : next;
      text += print(held);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function memberPrinter(door: Door, kind: MemberKind): PrintMember {
  if (kind === 'value') return (value) => JSON.stringify(value ?? null);
  if (kind === 'enum')
    return (value) => `"${door === 'graphql' ? String(value).toUpperCase() : String(value).toLowerCase()}"`;
  const one = compilePrinter(door, innerShape(kind) ?? {});
  return (value) => {
    if (value === null || value === undefined) return 'null';
    return Array.isArray(value) ? `[${value.map(one).join(',')}]` : one(value as Members);
  };
}
