import type { Door } from '../domain/door.js';
import { claimText, factText, restoreEnums } from './documentText.js';
import { CLAIM_SHAPE, FACT_SHAPE } from './factShape.js';
import { FreeForm, StoredJson } from './FreeForm.js';

type Document = Record<string, unknown>;

/**
 * JSON of a list of documents, inserted into the answer as stored, without parsing. All documents have the
 * current version.
 */
export class StoredText {
  constructor(
    readonly text: string,
    /** The number of documents. */
    readonly count: number,
  ) {}
}

/**
 * A kind of stored text. `steps` migrate old text, each by one version, from version 1 on; to change what is
 * stored, add one. New members need no step: text without them reads as null. Rows are rewritten when they
 * are next updated.
 */
export interface TextKind {
  steps: readonly ((document: Document) => Document)[];
  /** Gives a document the form of the resolvers. */
  restore: (document: Document) => Document;
  print: (door: Door, document: object) => string;
}

export const CLAIM_TEXT: TextKind = {
  steps: [],
  restore: restoreEnums(CLAIM_SHAPE),
  print: (_door, claim) => claimText(claim),
};
export const FACT_TEXT: TextKind = { steps: [], restore: restoreEnums(FACT_SHAPE), print: factText };

/** The version of newly written text. */
export function versionOf({ steps }: TextKind): number {
  return 1 + steps.length;
}

/**
 * SQL of a row's text for `readForward`: the plain text if it has the current version, else marked with its
 * version. Later versions occur while a newer release is being rolled out.
 *
 * @param text SQL of the text of the current version; text of other versions is always in GraphQL spelling
 */
export function versionedText(kind: TextKind, row: string, text = `${row}.document`): string {
  const marked = `${MARK.sql} || '{"textVersion":' || ${row}.text_version || ',"document":' || ${row}.document || '}'`;
  return `CASE WHEN ${row}.text_version = ${versionOf(kind)} THEN ${text} ELSE ${marked} END`;
}

/**
 * A character that JSON always escapes. Searching for one character is seven times as fast as for a member's
 * name.
 */
const MARK = { sql: 'chr(1)', text: '\u0001' };

/** Reads texts joined by PostgreSQL with commas, and migrates each to the current version. */
export function readForward(kind: TextKind, door: Door, documents: string | null, count: number): StoredText {
  const isOfThisVersion = !documents?.includes(MARK.text);
  // Brackets are added here, as PostgreSQL would copy the texts for each one. The search comes first: a
  // search in the bracketed string would copy it.
  const list = `[${documents ?? ''}]`;
  if (isOfThisVersion) return new StoredText(list, count);
  const texts = (JSON.parse(list.replaceAll(MARK.text, '')) as Document[]).map((item) =>
    'textVersion' in item ? kind.print(door, forward(kind, item)) : JSON.stringify(item),
  );
  return new StoredText(`[${texts.join(',')}]`, count);
}

function forward({ steps, restore }: TextKind, { textVersion, document }: Document): Document {
  const later = steps.slice(Math.max(0, Number(textVersion) - 1));
  return later.reduce((older, step) => step(older), restore(document as Document));
}

/**
 * Prints an answer as JSON, with stored texts inserted. As in `JSON.stringify`, undefined members are
 * omitted.
 */
export function printSpliced(value: unknown): string {
  if (value instanceof StoredText || value instanceof StoredJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(printSpliced).join(',')}]`;
  if (!isComposed(value) || !Object.values(value).some(isObject)) return JSON.stringify(value ?? null);
  let text = '';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${printSpliced(member)}`;
  }
  return `{${text}}`;
}

/** Makes members without a value undefined, so that they are not printed. Entries of lists stay. */
export function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) for (const item of value) omitNulls(item);
  else if (isComposed(value))
    for (const name of Object.keys(value)) {
      if (value[name] === null) value[name] = undefined;
      else omitNulls(value[name]);
    }
  return value;
}

function isComposed(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof FreeForm);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
