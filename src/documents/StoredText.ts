import type { Door } from '../domain/door.js';
import { claimText, factText, parseClaims, parseFacts } from './documentText.js';

type Document = Record<string, unknown>;

/**
 * JSON of a list of documents that stands in an answer as it was stored, never parsed on its way. All of them
 * are of this version.
 */
export class StoredText {
  constructor(
    readonly text: string,
    /** How many documents there are. */
    readonly count: number,
  ) {}
}

/**
 * A kind of stored text. `steps` read old text forward, one version each, from version 1 on; to change what
 * is stored, add one. Members that a shape gained need no step: text without them reads as null. Rows are
 * rewritten when they are touched.
 */
export interface TextKind {
  steps: readonly ((document: Document) => Document)[];
  parse: (list: string) => unknown[];
  print: (door: Door, document: object) => string;
}

export const CLAIM_TEXT: TextKind = {
  steps: [],
  parse: parseClaims,
  print: (_door, claim) => claimText(claim),
};
export const FACT_TEXT: TextKind = { steps: [], parse: parseFacts, print: factText };

/** The version in which text is written now. */
export function versionOf({ steps }: TextKind): number {
  return 1 + steps.length;
}

/**
 * SQL of a row's text for `readForward`: alone where it is of this version, else marked with its own. A later
 * version is met while a newer release is being rolled out.
 *
 * @param text SQL of the text of this version; text of another one is always GraphQL's
 */
export function versionedText(kind: TextKind, row: string, text = `${row}.document`): string {
  const marked = `${MARK.sql} || '{"textVersion":' || ${row}.text_version || ',"document":' || ${row}.document || '}'`;
  return `CASE WHEN ${row}.text_version = ${versionOf(kind)} THEN ${text} ELSE ${marked} END`;
}

/** A character that JSON never has as it is. One is looked for seven times as fast as a member's name. */
const MARK = { sql: 'chr(1)', text: '\u0001' };

/** Texts that PostgreSQL strung together with commas, each of them read forward to this version. */
export function readForward(kind: TextKind, door: Door, documents: string | null, count: number): StoredText {
  const isOfThisVersion = !documents?.includes(MARK.text);
  // PostgreSQL would copy the texts once more for each bracket; searching between them would do so here.
  const list = `[${documents ?? ''}]`;
  if (isOfThisVersion) return new StoredText(list, count);
  const texts = (JSON.parse(list.replaceAll(MARK.text, '')) as Document[]).map((item) =>
    'textVersion' in item ? kind.print(door, forward(kind, item)) : JSON.stringify(item),
  );
  return new StoredText(`[${texts.join(',')}]`, count);
}

function forward({ steps, parse }: TextKind, { textVersion, document }: Document): Document {
  const [parsed] = parse(JSON.stringify([document])) as [Document];
  return steps.slice(Math.max(0, Number(textVersion) - 1)).reduce((older, step) => step(older), parsed);
}
