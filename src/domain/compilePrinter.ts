import { memberName } from './door.js';
import type { Door } from './door.js';
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

function compileDocument(door: Door, members: readonly PrintedMember[]): (value: Members) => string {
  const printed = members.map(({ name, member, kind }) => ({
    start: `${JSON.stringify(name)}:`,
    member,
    print: printerOf(door, kind),
  }));
  return (value) => {
    let text = '';
    for (const { start, member, print } of printed) {
      const held = value[member];
      if (door === 'rest' && (held === null || held === undefined)) continue;
      text += `${text === '' ? '{' : ','}${start}${print(held)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function printerOf(door: Door, kind: PrintedMember['kind']): Printer {
  if (typeof kind !== 'string') return compilePrinter(door, kind);
  if (kind === 'value') return (value) => JSON.stringify(value ?? null);
  return (value) => `"${door === 'graphql' ? String(value).toUpperCase() : String(value).toLowerCase()}"`;
}
