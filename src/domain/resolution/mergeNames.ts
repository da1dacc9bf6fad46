import type { JsonValue } from '../jsonValue.js';
import { isTextArray } from './canonicalValue.js';
import { compareText } from './compareText.js';
import type { AttributeType } from './types.js';

type Name = readonly string[];

export type NameType = 'person_name' | 'person_names';

export function isNameType(type: AttributeType | undefined): type is NameType {
  return type === 'person_name' || type === 'person_names';
}

/**
 * The names in a form of `canonicalValue`. A form of `person_names` is JSON, a list if it is an array of
 * texts. Everything else is one name: a text of a `person_name` may look like a list, and is none.
 */
function namesOf(form: string, type: NameType): Name[] {
  if (type === 'person_names') {
    const value = JSON.parse(form) as JsonValue;
    if (isTextArray(value)) return value.map(parseName);
  }
  return [parseName(form)];
}

/** Names of more words agree only if they are equal. */
const MAX_WORDS = 20;

function parseName(name: string): Name {
  const words = name.split(' ');
  return words.length > MAX_WORDS ? [name] : words;
}

/** Lists can agree only if they have the same surnames. */
function surnamesOf(list: readonly Name[]): string {
  return JSON.stringify(list.map((name) => name.at(-1) ?? '').toSorted(compareText));
}

function wordsAgree(a: string, b: string): boolean {
  return a === b || (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b));
}

/** Longer lists agree only if they are equal: comparing each name with each takes long. */
const MAX_NAMES = 30;

/** Pairs of words compared in one fact. Names that are left then agree only if they are equal. */
const MAX_COMPARISONS = 5_000_000;

/**
 * Compares lists of names until `MAX_COMPARISONS` are spent. How much is spent depends on the lists alone.
 */
class Comparisons {
  #left = MAX_COMPARISONS;

  get areSpent(): boolean {
    return this.#left <= 0;
  }

  agree(a: readonly Name[], b: readonly Name[]): boolean {
    if (this.areSpent || a.length !== b.length || a.length > MAX_NAMES) return false;
    const free = new Set(b);
    return a.every((name) => {
      for (const other of free) if (this.#namesAgree(name, other)) return free.delete(other);
      return false;
    });
  }

  /** Same surname, and given names that are equal, initials of each other, or missing. */
  #namesAgree(a: Name, b: Name): boolean {
    this.#left -= 1;
    if (a.at(-1) !== b.at(-1)) return false;
    const given = Math.min(a.length, b.length) - 1;
    for (let index = 0; index < given; index += 1) {
      this.#left -= 1;
      if (!wordsAgree(a[index] ?? '', b[index] ?? '')) return false;
    }
    return true;
  }
}

function detail(list: readonly Name[]): number {
  return list.reduce((sum, name) => sum + name.reduce((letters, word) => letters + word.length, 0), 0);
}

/**
 * Groups names (or lists of names) of which one abbreviates the other: "d e knuth" joins "donald ervin
 * knuth". The longest forms come first. A form joins the only group whose members all agree with it; if
 * several such groups exist, or too much was compared before, it stays alone.
 */
export function mergeNames(distinct: readonly string[], type: NameType): Map<string, number> {
  const forms = distinct.map((value) => ({ value, list: namesOf(value, type) }));
  forms.sort((a, b) => detail(b.list) - detail(a.list) || compareText(a.value, b.value));
  const bySurnames = new Map<string, { group: number; members: (readonly Name[])[] }[]>();
  const groups = new Map<string, number>();
  const comparisons = new Comparisons();
  let count = 0;
  for (const { value, list } of forms) {
    const surnames = surnamesOf(list);
    const known = bySurnames.get(surnames) ?? [];
    const fitting = known.filter(({ members }) => members.every((other) => comparisons.agree(list, other)));
    const [only, another] = comparisons.areSpent ? [] : fitting;
    const joined = only !== undefined && another === undefined ? only : { group: count, members: [] };
    if (joined.members.length === 0) {
      bySurnames.set(surnames, known);
      known.push(joined);
      count += 1;
    }
    joined.members.push(list);
    groups.set(value, joined.group);
  }
  return groups;
}
