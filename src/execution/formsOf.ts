import { compileCutter } from '../documents/compileCutter.js';
import { compileTrimmer } from '../documents/compileTrimmer.js';
import { compilePrinter, wholeShape } from '../documents/compilePrinter.js';
import type { PrintedMember } from '../documents/compilePrinter.js';
import type { Door } from '../domain/door.js';
import { CLAIM_SHAPE, FACT_SHAPE } from '../documents/factShape.js';
import type { Shape } from '../documents/factShape.js';
import { StoredText } from '../documents/StoredText.js';
import type { DocumentForms } from '../documents/DocumentForms.js';
import type { PrintedFields } from './printedDocuments.js';

type Print = (value: unknown) => StoredText;

/**
 * The fields of those given that are taken as text, and how. What is selected whole in the spelling in which it is stored stays
 * as it is; other selections are cut out of the GraphQL text, or printed anew.
 */
export function formsOf(door: Door, fields: PrintedFields): DocumentForms {
  const print = new Map<string, Print>();
  const facts = fields.get('ResolvedProfile.facts');
  const printFacts = facts && factPrinter(door, facts);
  if (printFacts !== undefined) print.set('ResolvedProfile.facts', printFacts);
  const claims = fields.get('ClaimConnection.nodes');
  if (claims !== undefined) print.set('ClaimConnection.nodes', claimPrinter(door, claims));
  return {
    facts: printFacts === undefined ? 'objects' : door,
    claims: claims === undefined ? 'objects' : 'text',
    print,
  };
}

/** Facts are stored in the spelling of each door, claims in GraphQL's alone. */
function factPrinter(door: Door, members: readonly PrintedMember[]): Print | undefined {
  if (isWhole(door, FACT_SHAPE, members)) return storedText;
  return door === 'rest' ? undefined : cutPrinter(door, FACT_SHAPE, members);
}

function claimPrinter(door: Door, members: readonly PrintedMember[]): Print {
  if (door === 'graphql' && isWhole(door, CLAIM_SHAPE, members)) return storedText;
  return cutPrinter(door, CLAIM_SHAPE, members);
}

function isWhole(door: Door, shape: Shape, members: readonly PrintedMember[]): boolean {
  return JSON.stringify(members) === JSON.stringify(wholeShape(door, shape));
}

function cutPrinter(door: Door, shape: Shape, members: readonly PrintedMember[]): Print {
  const trim = door === 'graphql' ? compileTrimmer(shape, members) : undefined;
  const cut = trim ?? compileCutter(door, shape, members);
  const print = compilePrinter(door, members);
  return (value) => {
    const { text } = storedText(value);
    return new StoredText(cut(text) ?? print(JSON.parse(text)));
  };
}

function storedText(value: unknown): StoredText {
  if (value instanceof StoredText) return value;
  throw new TypeError('Documents were not read as stored text.');
}
