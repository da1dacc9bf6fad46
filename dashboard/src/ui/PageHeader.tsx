import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useAppName } from '../client/useAppName.ts';

interface Props {
  title: string;
  lead?: ReactNode;
  /** What the page belongs to, as links. */
  above?: ReactNode;
  actions?: ReactNode;
}

/** The page's heading, which names the document too. */
export function PageHeader({ title, lead, above, actions }: Props) {
  const appName = useAppName();
  useEffect(() => {
    document.title = `${title} · ${appName}`;
  }, [title, appName]);
  return (
    <header className="page-header">
      <div className="titles">
        {above !== undefined && <nav className="above">{above}</nav>}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {lead !== undefined && <div className="lead">{lead}</div>}
      </div>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </header>
  );
}
