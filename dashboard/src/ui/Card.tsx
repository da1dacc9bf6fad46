import type { ReactNode } from 'react';
import { useId } from 'react';

interface Props {
  title: string;
  lead?: string | undefined;
  actions?: ReactNode;
  /** Lets a table reach the card's edges. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled part of a page. */
export function Card({ title, lead, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={flush ? 'card flush' : 'card'} aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {lead !== undefined && <p className="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
