import type { ComponentType, ErrorInfo, ReactNode } from 'react';
import { Component, lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Texts } from '../i18n/en.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Each page is loaded when it is first opened. */
const ROUTES: readonly [path: string, page: ComponentType][] = [
  ['/', lazy(() => import('../pages/overview/OverviewPage.tsx'))],
  ['/customers', lazy(() => import('../pages/customers/CustomersPage.tsx'))],
  ['/customers/:id/:part?', lazy(() => import('../pages/customer/CustomerPage.tsx'))],
  ['/sessions', lazy(() => import('../pages/sessions/SessionsPage.tsx'))],
  ['/sessions/:id', lazy(() => import('../pages/sessions/SessionPage.tsx'))],
  ['/workflows', lazy(() => import('../pages/workflows/WorkflowsPage.tsx'))],
  ['/workflows/:id', lazy(() => import('../pages/workflows/WorkflowPage.tsx'))],
  ['/webhooks', lazy(() => import('../pages/webhooks/WebhooksPage.tsx'))],
  ['/webhooks/:id', lazy(() => import('../pages/webhooks/EndpointPage.tsx'))],
  ['/catalog/:part?', lazy(() => import('../pages/catalog/CatalogPage.tsx'))],
  ['/app/:part?', lazy(() => import('../pages/app/AppPage.tsx'))],
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
