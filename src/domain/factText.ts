import { FACT_SHAPE } from './factShape.js';
import type { Shape } from './factShape.js';

/** The doors' spellings: GraphQL's camel case, upper-case enums and nulls; REST's snake case, lower-case enums and no nulls. */
export type Door = 'graphql' | 'rest';

type Members = Record<string, unknown>;

/** A fact as text in a door's spelling: byte for byte what executing its full selection and printing the result gives. */
export function factText(door: Door, fact: object): string {
  return JSON.stringify(spelled(door, FACT_SHAPE, fact));
}

/** The facts of a JSON list of GraphQL texts, with enum values as the resolvers know them. */
export function parseFacts(text: string): unknown[] {
  const facts = JSON.parse(text) as Members[];
  for (const fact of facts) lowerEnums(FACT_SHAPE, fact);
  return facts;
}

/** How a door names a member. */
export function memberName(door: Door, member: string): string {
  return door === 'graphql' ? member : member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function spelled(door: Door, shape: Shape, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => spelled(door, shape, item));
  const result: Members = {};
  for (const [member, kind] of Object.entries(shape)) {
    const printed = spelledMember(door, kind, (value as Members)[member]);
    if (printed !== null || door === 'graphql') result[memberName(door, member)] = printed;
  }
  return result;
}

function spelledMember(door: Door, kind: Shape[string], value: unknown): unknown {
  if (kind === 'enum') return door === 'graphql' ? String(value).toUpperCase() : String(value).toLowerCase();
  return kind === 'value' ? (value ?? null) : spelled(door, kind, value);
}

function lowerEnums(shape: Shape, value: Members): void {
  for (const [member, kind] of Object.entries(shape)) {
    const held = value[member];
    if (kind === 'value' || held === null || held === undefined) continue;
    if (kind === 'enum') value[member] = String(held).toLowerCase();
    else for (const item of Array.isArray(held) ? held : [held]) lowerEnums(kind, item as Members);
  }
}
