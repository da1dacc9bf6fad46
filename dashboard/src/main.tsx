import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nProvider } from 'react-aria-components';
import { Provider } from 'urql';
import { createClient } from './client/createClient.ts';
import { LanguageProvider, languageOr, loadTexts } from './i18n/texts.tsx';
import { root, session } from './session.ts';
import { applyTheme } from './shell/theme.ts';
import { Shell } from './shell/Shell.tsx';
import './styles/dashboard.css';

applyTheme();
const language = languageOr(session.locale);
document.documentElement.lang = language;
const texts = await loadTexts(language);

createRoot(root).render(
  <StrictMode>
    <I18nProvider locale={language === 'de' ? 'de-DE' : 'en-US'}>
      <LanguageProvider language={language} texts={texts}>
        <Provider value={createClient()}>
          <Shell />
        </Provider>
      </LanguageProvider>
    </I18nProvider>
  </StrictMode>,
);
