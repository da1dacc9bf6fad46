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
 * A fact as text in a door's spelling: byte for byte what executing its full selection and printing the
 * result gives.
 */
export function factText(door: Door, fact: object): string {
  return PRINTERS[door](fact);
}

const printClaim = compilePrinter('graphql', CLAIM_SHAPE);

/** A claim as text in GraphQL's spelling. */
export function claimText(claim: object): string {
  return printClaim(claim);
}

/** The facts of a JSON list of GraphQL texts, with enum values as the resolvers know them. */
export function parseFacts(text: string): unknown[] {
  return parseDocuments(text, FACT_ENUMS);
}

/** The same of claims. */
export function parseClaims(text: string): unknown[] {
  return parseDocuments(text, CLAIM_ENUMS);
}

function parseDocuments(text: string, enums: EnumPlaces): unknown[] {
  const documents = JSON.parse(text) as Members[];
  for (const document of documents) lowerEnums(enums, document);
  return documents;
}

/**
 * What is left to do below a shape once it is known: the members that are enums, and the shapes in which
 * there are any.
 */
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
