import { useState, useSyncExternalStore } from 'react';
import { Router } from 'wouter';
import { useSessionEnd } from '../client/useSessionEnd.ts';
import { useTexts } from '../i18n/texts.tsx';
import { announcement } from '../ui/announcement.ts';
import { SecretProvider } from '../ui/SecretDialog.tsx';
import { ToastProvider } from '../ui/Toasts.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { Navigation } from './Navigation.tsx';
import { Pages } from './Pages.tsx';
import { SessionEnded } from './SessionEnded.tsx';
import { useFocusKept } from './useFocusKept.ts';

/** The frame around every page. Of a session that has ended nothing is shown any more. */
export function Shell() {
  const { common, shell } = useTexts();
  const ended = useSessionEnd();
  const announced = useSyncExternalStore(announcement.subscribe, announcement.get);
  useFocusKept();
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <Router base="/dashboard">
      <ToastProvider>
        <SecretProvider>
          <a className="skip" href="#main">
            {common.skip}
          </a>
          <div className="shell" data-menu={isMenuOpen ? 'open' : 'closed'}>
            <Navigation label={shell.navigation} isOpen={isMenuOpen} onToggle={setMenuOpen} />
            <div className="stage">
              <ConnectionNotice />
              <main id="main" tabIndex={-1}>
                {ended === undefined && <Pages />}
              </main>
              <p className="sr-only" role="status">
                {announced}
              </p>
            </div>
          </div>
          <SessionEnded />
        </SecretProvider>
      </ToastProvider>
    </Router>
  );
}
