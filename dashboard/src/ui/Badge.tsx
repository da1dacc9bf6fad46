import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warning' | 'danger' | 'info';

/** A state in a word; the tone only underlines what the word says. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
