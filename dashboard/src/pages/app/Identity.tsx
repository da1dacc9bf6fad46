import { useTexts } from '../../i18n/texts.tsx';
import { Card } from '../../ui/Card.tsx';
import type { App } from './useApp.ts';

/** What people see of the partner when they decide. The operator sets it. */
export function Identity({ app }: { app: App }) {
  const { app: texts } = useTexts();
  const links = [
    [texts.homePage, app.clientUri],
    [texts.terms, app.tosUri],
    [texts.privacy, app.policyUri],
  ] as const;
  return (
    <Card title={texts.identity} lead={texts.identityLead}>
      <dl className="details">
        <div className="pair">
          <dt>{texts.logo}</dt>
          <dd>
            {app.logoUri === null ? (
              texts.notSet
            ) : (
              <img
                className="app-logo"
                src={new URL(app.logoUri).pathname}
                width={48}
                height={48}
                alt={app.name}
              />
            )}
          </dd>
        </div>
        {links.map(([title, href]) => (
          <div className="pair" key={title}>
            <dt>{title}</dt>
            <dd>
              {href === null ? (
                texts.notSet
              ) : (
                <a href={href} target="_blank" rel="noopener noreferrer">
                  {href}
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
