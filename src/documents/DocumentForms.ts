import type { Door } from '../domain/door.js';
import type { Cutter } from './compileCutter.js';
import { StoredText } from './StoredText.js';

/** The forms in which loaders return the documents of an operation. */
export interface DocumentForms {
  facts: DocumentForm;
  claims: DocumentForm;
}

/** Parsed, or as text. */
export type DocumentForm = 'objects' | TextForm;

export interface TextForm {
  /** The interface in whose spelling the text is read. */
  storedFor: Door;
  /** Makes the answer from the text; undefined: the text is the answer. */
  cut?: Cutter;
}

/** All documents parsed, for executors that resolve each leaf. */
export const AS_OBJECTS: DocumentForms = { facts: 'objects', claims: 'objects' };

export function isAsStored(form: DocumentForm): boolean {
  return form !== 'objects' && form.cut === undefined;
}

/** Stored documents in the form that a request needs. */
export function inForm<Document>(
  form: DocumentForm,
  stored: StoredText,
  parse: (list: string) => Document[],
): Document[] | StoredText {
  if (form === 'objects') return parse(stored.text);
  return form.cut === undefined ? stored : new StoredText(form.cut(stored.text), stored.count);
}
