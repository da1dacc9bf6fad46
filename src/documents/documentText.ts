import { compileEmptier } from './compileCutter.js';
import { compilePrinter } from './compilePrinter.js';
import type { Printer } from './compilePrinter.js';
import type { Door } from '../domain/door.js';
import { CLAIM_SHAPE, FACT_SHAPE, innerShape } from './factShape.js';
import type { MemberKind, Shape } from './factShape.js';
import { storedJson } from './FreeForm.js';

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

/**
 * Parses a JSON list of facts in GraphQL spelling. Enum values become those of the resolvers. Free-form
 * values stay text: no request takes longer for what is in them (ADR 60).
 */
export const parseFacts = documentsParser(FACT_SHAPE);

/** The same for claims. */
export const parseClaims = documentsParser(CLAIM_SHAPE);

function documentsParser(shape: Shape): (list: string) => unknown[] {
  const empty = compileEmptier(shape);
  const places = placesIn(shape);
  return (list) => {
    const { text, kept } = empty(list);
    const documents = JSON.parse(text) as Members[];
    for (const document of documents) restore(places, document, kept);
    return documents;
  };
}

/** Gives the enum values of a document in GraphQL spelling the form of the resolvers, in place. */
export function restoreEnums(shape: Shape): (document: Members) => Members {
  const places = placesIn(shape);
  return (document) => {
    restore(places, document);
    return document;
  };
}

/** The enum and free-form members of a shape, and its inner shapes that contain any. */
interface Places {
  enums: readonly string[];
  free: readonly string[];
  inner: readonly (readonly [member: string, places: Places])[];
}

function placesIn(shape: Shape): Places {
  const members = Object.entries(shape);
  const ofKind = (wanted: MemberKind): string[] =>
    members.flatMap(([member, kind]) => (kind === wanted ? [member] : []));
  const inner = members.flatMap(([member, kind]) => {
    const below = innerShape(kind);
    return below === undefined ? [] : [[member, placesIn(below)] as const];
  });
  return {
    enums: ofKind('enum'),
    free: ofKind('free'),
    inner: inner.filter(([, below]) =>
      [below.enums, below.free, below.inner].some(({ length }) => length > 0),
    ),
  };
}

function restore({ enums, free, inner }: Places, value: Members, kept?: readonly string[]): void {
  for (const member of enums) value[member] = String(value[member]).toLowerCase();
  if (kept !== undefined)
    for (const member of free) value[member] = storedJson(kept[value[member] as number] ?? null);
  for (const [member, places] of inner) {
    const held = value[member];
    if (Array.isArray(held)) for (const item of held) restore(places, item as Members, kept);
    else if (held !== null && held !== undefined) restore(places, held as Members, kept);
  }
}
