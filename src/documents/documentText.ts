import { compilePrinter } from './compilePrinter.js';
import type { Printer } from './compilePrinter.js';
import type { Door } from '../domain/door.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from './factShape.js';
import type { Shape } from './factShape.js';

type Members = Record<string, unknown>;

const PRINTERS: Record<Door, Printer> = {
  graphql: compilePrinter('graphql', FACT_SHAPE),
  rest: compilePrinter('rest', FACT_SHAPE),
};

/**
 * A fact as text in the spelling of an interface: byte for byte the printed result of executing its full
 * selection.
 */
export function factText(door: Door, fact: object): string {
  return PRINTERS[door](fact);
}

const printClaim = compilePrinter('graphql', CLAIM_SHAPE);

/** A claim as text in GraphQL spelling. */
export function claimText(claim: object): string {
  return printClaim(claim);
}

/** Parses a JSON list of facts in GraphQL spelling. Enum values become those of the resolvers. */
export function parseFacts(text: string): unknown[] {
  return parseDocuments(text, FACT_ENUMS);
}

/** The same for claims. */
export function parseClaims(text: string): unknown[] {
  return parseDocuments(text, CLAIM_ENUMS);
}

function parseDocuments(text: string, enums: EnumPlaces): unknown[] {
  const documents = JSON.parse(text) as Members[];
  for (const document of documents) lowerEnums(enums, document);
  return documents;
}

/** The enum members of a shape, and its inner shapes that contain any. */
interface EnumPlaces {
  enums: readonly string[];
  inner: readonly (readonly [member: string, places: EnumPlaces])[];
}

function enumPlaces(shape: Shape): EnumPlaces {
  const members = Object.entries(shape);
  const inner = members.flatMap(([member, kind]) => {
    const below = innerShape(kind);
    return below === undefined ? [] : [[member, enumPlaces(below)] as const];
  });
  return {
    enums: members.flatMap(([member, kind]) => (kind === 'enum' ? [member] : [])),
    inner: inner.filter(([, { enums, inner: below }]) => enums.length + below.length > 0),
  };
}

const FACT_ENUMS = enumPlaces(FACT_SHAPE);
const CLAIM_ENUMS = enumPlaces(CLAIM_SHAPE);

function lowerEnums({ enums, inner }: EnumPlaces, value: Members): void {
  for (const member of enums) value[member] = String(value[member]).toLowerCase();
  for (const [member, places] of inner) {
    const held = value[member];
    if (Array.isArray(held)) for (const item of held) lowerEnums(places, item as Members);
    else if (held !== null && held !== undefined) lowerEnums(places, held as Members);
  }
}
