import type { ComponentType, ErrorInfo, ReactNode } from 'react';
import { Component, lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Texts } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

const PAUSE_MS = 2000;

/** The key under which a tab keeps the address that was opened anew for its code. */
const OPENED_ANEW = 'opened_anew';

/**
 * A page whose code is loaded when it is first opened. Where that fails, the document is opened anew once the
 * service answers: browsers keep a failed import as long as the document, and after an upgrade the code is
 * another.
 */
function opened(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(async () => {
    try {
      const page = await load();
      sessionStorage.removeItem(OPENED_ANEW);
      return page;
    } catch (failure) {
      while (!(await answers())) await new Promise((wake) => setTimeout(wake, PAUSE_MS));
      if (sessionStorage.getItem(OPENED_ANEW) === location.href) throw failure;
      sessionStorage.setItem(OPENED_ANEW, location.href);
      location.reload();
      return new Promise<never>(() => undefined);
    }
  });
}

/** A proxy answers 502 or 503 for a service that is away. */
function answers(): Promise<boolean> {
  return fetch('/dashboard', { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  );
}

const ROUTES: readonly [path: string, page: ComponentType][] = [
  ['/', opened(() => import('../pages/overview/OverviewPage.tsx'))],
  ['/customers', opened(() => import('../pages/customers/CustomersPage.tsx'))],
  ['/customers/:id/:part?', opened(() => import('../pages/customer/CustomerPage.tsx'))],
  ['/sessions', opened(() => import('../pages/sessions/SessionsPage.tsx'))],
  ['/sessions/:id', opened(() => import('../pages/sessions/SessionPage.tsx'))],
  ['/workflows', opened(() => import('../pages/workflows/WorkflowsPage.tsx'))],
  ['/workflows/:id', opened(() => import('../pages/workflows/WorkflowPage.tsx'))],
  ['/webhooks', opened(() => import('../pages/webhooks/WebhooksPage.tsx'))],
  ['/webhooks/:id', opened(() => import('../pages/webhooks/EndpointPage.tsx'))],
  ['/catalog/:part?', opened(() => import('../pages/catalog/CatalogPage.tsx'))],
  ['/app/:part?', opened(() => import('../pages/app/AppPage.tsx'))],
];

export function Pages() {
  const texts = useTexts();
  const [path] = useLocation();
  useFocusOnArrival(path);
  return (
    <Breakage key={path} texts={texts}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Switch>
          {ROUTES.map(([route, Page]) => (
            <Route key={route} path={route}>
              <Page />
            </Route>
          ))}
          <Route>
            <PageHeader title={texts.common.notFoundTitle} />
            <EmptyState title={texts.common.notFoundTitle}>{texts.common.notFound}</EmptyState>
          </Route>
        </Switch>
      </Suspense>
    </Breakage>
  );
}

/**
 * A screen reader follows to the new page; the first one is where the browser put it. Tabs of a thing keep
 * the focus.
 */
function useFocusOnArrival(path: string): void {
  const place = path.split('/').slice(0, 3).join('/');
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place]);
}

/** A mistake of ours takes down one page, not the navigation. */
class Breakage extends Component<{ texts: Texts; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { common } = this.props.texts;
    if (!this.state.isBroken) return this.props.children;
    return (
      <EmptyState
        icon="alert"
        title={common.brokenTitle}
        action={<Button onPress={() => location.reload()}>{common.reload}</Button>}
      >
        {common.broken}
      </EmptyState>
    );
  }
}
