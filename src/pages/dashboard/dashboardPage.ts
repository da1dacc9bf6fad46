import type { MemberApp } from '../../oauth/listMemberApps.js';
import type { Bundle } from '../appPages/bundle.js';
import { bundlePath } from '../appPages/bundle.js';
import { assetPath } from '../../html/assets.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

export interface DashboardView {
  locale: Locale;
  email: string;
  /** The zone that the person chose for their times; null for the browser's. */
  timeZone: string | null;
  app: MemberApp;
  /** The scopes of the token. The page explains what other scopes would show. */
  scopes: readonly string[];
  /** Guards of the forms to leave the app and to sign out. */
  forms: { app: Html; signOut: Html };
  bundle: Bundle;
  /** Scripts that the browser fetches in parallel. */
  preload: readonly string[];
}

/**
 * The HTML document of the dashboard. It contains no token and no inline script. The style sheet has the id
 * of the style element that react-aria would otherwise insert, which the content security policy refuses.
 */
export function dashboardPage(view: DashboardView): string {
  const { dashboard, common } = textsFor(view.locale);
  const { bundle } = view;
  const config = JSON.stringify({
    locale: view.locale,
    email: view.email,
    timeZone: view.timeZone,
    app: { id: view.app.appId, name: view.app.name },
    scopes: view.scopes,
  });
  return html`<!doctype html>
<html lang="${view.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${view.app.name} · ${common.serviceName}</title>
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${bundlePath(bundle, 'dashboard.css')}" id="react-aria-pressable-style">
${view.preload.map((name) => html`<link rel="modulepreload" href="${bundlePath(bundle, name)}">`)}
<script type="module" src="${bundlePath(bundle, 'dashboard.js')}"></script>
</head>
<body>
<div id="dashboard" data-config="${config}"></div>
<noscript><p>${dashboard.needsScript}</p></noscript>
<form id="leave-app" method="post" action="/dashboard/leave" hidden>${view.forms.app}</form>
<form id="sign-out" method="post" action="/sign-out?return_to=%2Fdashboard" hidden>${view.forms.signOut}</form>
</body>
</html>`.text;
}
