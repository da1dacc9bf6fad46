import { Link, useLocation } from 'wouter';
import { useEffect } from 'react';
import { useAppName } from '../client/useAppName.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import { Icon } from '../ui/Icon.tsx';
import { AccountMenu } from './AccountMenu.tsx';

const PLACES: readonly { name: IconName & keyof Titles; path: string }[] = [
  { name: 'overview', path: '/' },
  { name: 'customers', path: '/customers' },
  { name: 'sessions', path: '/sessions' },
  { name: 'workflows', path: '/workflows' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'catalog', path: '/catalog' },
  { name: 'app', path: '/app' },
];

type Titles = Record<
  'overview' | 'customers' | 'sessions' | 'workflows' | 'webhooks' | 'catalog' | 'app',
  string
>;

interface Props {
  label: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** The pages, and who is signed in for which app. On a phone it opens over the page. */
export function Navigation({ label, isOpen, onToggle }: Props) {
  const { shell } = useTexts();
  const appName = useAppName();
  const [path] = useLocation();
  useEffect(() => onToggle(false), [path, onToggle]);
  return (
    <header className="side">
      <div className="side-frame">
        <div className="brand">
          <svg
            className="mark"
            viewBox="0 0 32 20"
            width="28"
            height="18"
            aria-hidden="true"
            focusable="false"
          >
            <circle cx="10" cy="10" r="8.5" />
            <circle cx="22" cy="10" r="8.5" />
          </svg>
          <span className="app-name">{appName}</span>
          <span className="menu-button">
            <Button
              kind="quiet"
              icon={isOpen ? 'close' : 'menu'}
              aria-label={isOpen ? shell.closeMenu : shell.openMenu}
              aria-expanded={isOpen}
              aria-controls="navigation"
              onPress={() => onToggle(!isOpen)}
            />
          </span>
        </div>
        <div id="navigation" className="side-body">
          <nav aria-label={label}>
            <ul>
              {PLACES.map((place) => (
                <li key={place.name}>
                  <Link href={place.path} aria-current={isWithin(path, place.path) ? 'page' : undefined}>
                    <Icon name={place.name} />
                    {shell[place.name]}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

function isWithin(path: string, place: string): boolean {
  return path === place || (place !== '/' && path.startsWith(`${place}/`));
}
