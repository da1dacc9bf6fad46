import { compileCutter } from '../domain/compileCutter.js';
import { compilePrinter, wholeShape } from '../domain/compilePrinter.js';
import type { PrintedMember } from '../domain/compilePrinter.js';
import type { Door } from '../domain/door.js';
import { FACT_SHAPE } from '../domain/factShape.js';
import { StoredText } from '../domain/StoredText.js';
import type { DocumentForms } from './DocumentForms.js';
import type { PrintedFields } from './printedDocuments.js';

type Print = (value: unknown) => StoredText;

/**
 * The fields of those given that are taken as text, and how. Facts are stored as text: selected whole they stay as they are;
 * of the GraphQL text other selections are cut out, or printed anew. Claims are objects, of which what is selected is printed.
 */
export function formsOf(door: Door, fields: PrintedFields): DocumentForms {
  const print = new Map<string, Print>();
  const facts = fields.get('ResolvedProfile.facts');
  const printFacts = facts && factPrinter(door, facts);
  if (printFacts !== undefined) print.set('ResolvedProfile.facts', printFacts);
  const claims = fields.get('ClaimConnection.nodes');
  if (claims !== undefined) print.set('ClaimConnection.nodes', claimPrinter(door, claims));
  return { facts: printFacts === undefined ? 'objects' : door, print };
}

function factPrinter(door: Door, members: readonly PrintedMember[]): Print | undefined {
  if (JSON.stringify(members) === JSON.stringify(wholeShape(door, FACT_SHAPE))) return storedText;
  if (door === 'rest') return undefined;
  const cut = compileCutter(FACT_SHAPE, members);
  const print = compilePrinter(door, members);
  return (value) => {
    const { text } = storedText(value);
    return new StoredText(cut(text) ?? print(JSON.parse(text)));
  };
}

function storedText(value: unknown): StoredText {
  if (value instanceof StoredText) return value;
  throw new TypeError('Facts were not read as stored text.');
}

function claimPrinter(door: Door, members: readonly PrintedMember[]): Print {
  const print = compilePrinter(door, members);
  return (value) => new StoredText(print(value));
}
