import type { ReactNode } from 'react';
import { Fragment } from 'react';

export type Tone = 'neutral' | 'good' | 'warning' | 'danger' | 'info';

/** A state in a word; the tone only underlines what the word says. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  const text = typeof children === 'string' ? breakable(children) : children;
  return <span className={`badge ${tone}`}>{text}</span>;
}

/** A scope or the type of an event goes on in the next line where a part of it begins, if it has to. */
function breakable(text: string): ReactNode {
  return text.split(/(?<=[:._])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
