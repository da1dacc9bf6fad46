import { memberName } from '../domain/door.js';
import type { Door } from '../domain/door.js';
import { innerShape } from './factShape.js';
import type { MemberKind, Shape } from './factShape.js';

/** Prints a document as JSON. */
export type Printer = (value: object) => string;

type Members = Record<string, unknown>;
type PrintMember = (value: unknown) => string;

interface Printed {
  /** The text before the value, as the first member and as a later one. */
  first: string;
  next: string;
  member: string;
  print: PrintMember;
}

/**
 * Compiles a printer for documents of a shape. Its output is byte for byte that of executing the full
 * selection and printing the result.
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
  if (kind === 'value' || kind === 'free') return (value) => JSON.stringify(value ?? null);
  if (kind === 'enum')
    return (value) => `"${door === 'graphql' ? String(value).toUpperCase() : String(value).toLowerCase()}"`;
  const one = compilePrinter(door, innerShape(kind) ?? {});
  return (value) => {
    if (value === null || value === undefined) return 'null';
    return Array.isArray(value) ? `[${value.map(one).join(',')}]` : one(value as Members);
  };
}
