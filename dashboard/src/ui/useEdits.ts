import { useState } from 'react';

interface Edits<Values> {
  /** How things stand now, and over that what the person changed. */
  values: Values;
  /** The same over how things have turned out to stand. */
  over: (now: Values) => Values;
  edit: (changed: Partial<Values>) => void;
  /** Forgets what was changed up to here: it is stored by now. */
  settle: () => void;
}

/** What the person made of a value, and how it stood then. */
interface Change<Value> {
  before: Value;
  after: Value;
}

type Changes<Values> = { [Name in keyof Values]?: Change<Values[Name]> | undefined };

/**
 * What a form holds while it is open. What the person changed stays; everything else follows what others
 * change meanwhile. In a list this holds of each element.
 */
export function useEdits<Values extends object>(now: Values): Edits<Values> {
  const [changes, setChanges] = useState<Changes<Values>>({});
  return {
    values: applied(changes, now),
    over: (latest) => applied(changes, latest),
    edit: (changed) => setChanges((earlier) => ({ ...earlier, ...changesTo(now, changed) })),
    settle: () => setChanges((later) => without(changes, later)),
  };
}

/** What differs, which alone is sent: what somebody else changed meanwhile stays. A list has no order. */
export function differences<Values extends object>(
  before: Partial<Values>,
  after: Partial<Values>,
): Partial<Values> {
  const differs = (name: string): boolean => text(before, name) !== text(after, name);
  return Object.fromEntries(Object.entries(after).filter(([name]) => differs(name))) as Partial<Values>;
}

function text(values: object, name: string): string | undefined {
  const value = (values as Record<string, unknown>)[name];
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
}

/** A value that is again as it stands now is no change. */
function changesTo<Values extends object>(now: Values, changed: Partial<Values>): Changes<Values> {
  const changes: Changes<Values> = {};
  for (const name of Object.keys(changed) as (keyof Values)[]) {
    const change = { before: now[name], after: changed[name] as Values[keyof Values] };
    changes[name] = isSame(change.before, change.after) ? undefined : change;
  }
  return changes;
}

function without<Values extends object>(settled: Changes<Values>, later: Changes<Values>): Changes<Values> {
  const left = { ...later };
  for (const name of Object.keys(left) as (keyof Values)[])
    if (isSame(settled[name]?.after, left[name]?.after)) left[name] = undefined;
  return left;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function applied<Values extends object>(changes: Changes<Values>, now: Values): Values {
  const values = { ...now };
  for (const name of Object.keys(changes) as (keyof Values)[]) {
    const change = changes[name];
    if (change !== undefined) values[name] = merged(now[name], change);
  }
  return values;
}

/** The person's value; of a list without what others removed meanwhile, and with what they added. */
function merged<Value>(now: Value, { before, after }: Change<Value>): Value {
  if (!isList(now) || !isList(before) || !isList(after)) return after;
  const kept = after.filter((one) => has(now, one) || !has(before, one));
  const added = now.filter((one) => !has(before, one) && !has(after, one));
  return [...kept, ...added] as Value & string[];
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value);
}

function has(list: readonly string[], element: string): boolean {
  return list.some((one) => one.trim() === element.trim());
}
