import { useState } from 'react';

interface Edits<Values> {
  /** How things stand now, and over that what the person changed. */
  values: Values;
  edit: (changed: Partial<Values>) => void;
  /** Forgets what was changed up to here: it is stored by now. */
  settle: () => void;
}

/**
 * What a form holds while it is open. What the person changed stays; everything else follows what others
 * change meanwhile.
 */
export function useEdits<Values extends object>(now: Values): Edits<Values> {
  const [edits, setEdits] = useState<Partial<Values>>({});
  return {
    values: { ...now, ...edits },
    edit: (changed) => setEdits((before) => differences(now, { ...before, ...changed })),
    settle: () => setEdits((later) => differences(edits, later)),
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
