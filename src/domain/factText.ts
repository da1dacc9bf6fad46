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
  for (const fact of facts) lowerEnums(FACT_ENUMS, fact);
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

/** What is left to do below a shape once it is known: the members that are enums, and the shapes in which there are any. */
interface EnumPlaces {
  enums: readonly string[];
  inner: readonly (readonly [member: string, places: EnumPlaces])[];
}

function enumPlaces(shape: Shape): EnumPlaces {
  const members = Object.entries(shape);
  const inner = members.flatMap(([member, kind]) =>
    typeof kind === 'string' ? [] : [[member, enumPlaces(kind)] as const],
  );
  return {
    enums: members.flatMap(([member, kind]) => (kind === 'enum' ? [member] : [])),
    inner: inner.filter(([, { enums, inner: below }]) => enums.length + below.length > 0),
  };
}

const FACT_ENUMS = enumPlaces(FACT_SHAPE);

function lowerEnums({ enums, inner }: EnumPlaces, value: Members): void {
  for (const member of enums) value[member] = String(value[member]).toLowerCase();
  for (const [member, places] of inner) {
    const held = value[member];
    if (Array.isArray(held)) for (const item of held) lowerEnums(places, item as Members);
    else if (held !== null && held !== undefined) lowerEnums(places, held as Members);
  }
}
