import { memberName } from '../domain/door.js';
import type { Door } from '../domain/door.js';
import { innerShape } from './factShape.js';
import type { Shape } from './factShape.js';

/** A member of a document and the name under which it is printed. */
export interface PrintedMember {
  name: string;
  member: string;
  kind: 'value' | 'enum' | readonly PrintedMember[];
}

/** JSON of a document, or of a list of documents. */
export type Printer = (value: unknown) => string;

/** Every member of a shape, in its order and a door's spelling. */
export function wholeShape(door: Door, shape: Shape): PrintedMember[] {
  return Object.entries(shape).map(([member, kind]) => ({
    name: memberName(door, member),
    member,
    kind: typeof kind === 'string' ? kind : wholeShape(door, innerShape(kind) ?? {}),
  }));
}

/** Prints the members given: byte for byte what executing their selection and printing the result gives. */
export function compilePrinter(door: Door, members: readonly PrintedMember[]): Printer {
  const one = compileDocument(door, members);
  const print: Printer = (value) => {
    if (value === null || value === undefined) return 'null';
    return Array.isArray(value) ? `[${value.map(print).join(',')}]` : one(value as Members);
  };
  return print;
}

type Members = Record<string, unknown>;

interface Printed {
  /** What stands before the value, as the first member and as another one. */
  first: string;
  next: string;
  member: string;
  /** Undefined for plain values. */
  print: Printer | undefined;
}

function compileDocument(door: Door, members: readonly PrintedMember[]): (value: Members) => string {
  const leavesOut = door === 'rest';
  const printed = members.map(({ name, member, kind }): Printed => {
    const print = kind === 'value' ? undefined : printerOf(door, kind);
    return { first: `{${JSON.stringify(name)}:`, next: `,${JSON.stringify(name)}:`, member, print };
  });
  return (value) => {
    let text = '';
    for (const { first, next, member, print } of printed) {
      const held = value[member];
      if (leavesOut && (held === null || held === undefined)) continue;
      text += text === '' ? first : next;
      text += print === undefined ? printValue(held) : print(held);
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function printerOf(door: Door, kind: 'enum' | readonly PrintedMember[]): Printer {
  if (kind !== 'enum') return compilePrinter(door, kind);
  return (value) => `"${door === 'graphql' ? String(value).toUpperCase() : String(value).toLowerCase()}"`;
}

/** Text that stands in JSON as it is. */
const UNESCAPED = /^[ !#-[\]-~]*$/;

/** JSON of a value. */
export function printValue(value: unknown): string {
  // Half the cost of JSON.stringify, for what most values are.
  if (typeof value === 'string' && UNESCAPED.test(value)) return `"${value}"`;
  return JSON.stringify(value ?? null);
}
