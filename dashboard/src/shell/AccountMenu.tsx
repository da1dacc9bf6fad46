import { useState } from 'react';
import { Button, DialogTrigger, Popover } from 'react-aria-components';
import type { Language } from '../i18n/texts.tsx';
import { chooseLanguage, LANGUAGES, useLanguage, useTexts } from '../i18n/texts.tsx';
import { session } from '../session.ts';
import { Icon } from '../ui/Icon.tsx';
import { Segments } from '../ui/Segments.tsx';
import type { Theme } from './theme.ts';
import { chooseTheme, chosenTheme, THEMES } from './theme.ts';

/** Who is signed in, how the dashboard looks and speaks, and the ways out. */
export function AccountMenu() {
  const { shell } = useTexts();
  const language = useLanguage();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const change = (chosen: string): void => {
    const next = THEMES.find((name) => name === chosen) ?? 'system';
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <DialogTrigger>
      <Button className="account" aria-label={`${shell.account}: ${session.email}`}>
        <Icon name="person" />
        <span className="email">{session.email}</span>
      </Button>
      <Popover className="popover menu" placement="top start">
        {/* The popover is the dialog. It has its hidden buttons to close it inside, a Dialog here has not. */}
        <div className="account-menu">
          <p className="quiet small">
            {shell.signedInAs} <strong>{session.email}</strong>
          </p>
          <Segments
            label={shell.theme}
            options={THEMES.map((id) => ({ id, label: shell.themes[id] }))}
            value={theme}
            onChange={change}
          />
          <Segments
            label={shell.language}
            options={Object.entries(LANGUAGES).map(([id, label]) => ({ id, label }))}
            value={language}
            onChange={(id) => chooseLanguage(id as Language)}
          />
          <ul>
            <li>
              <a href="/graphiql">{shell.graphiql}</a>
            </li>
            <li>
              <button form="leave-app">{shell.otherApp}</button>
            </li>
            <li>
              <button form="sign-out">{shell.signOut}</button>
            </li>
          </ul>
        </div>
      </Popover>
    </DialogTrigger>
  );
}
