import type { MemberApp } from '../../oauth/listMemberApps.js';
import type { Bundle } from '../appPages/bundle.js';
import { bundlePath } from '../appPages/bundle.js';
import { assetPath } from '../../html/assets.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Locale } from '../../texts/textsFor.js';
import { textsFor } from '../../texts/textsFor.js';

export interface DashboardView {
  locale: Locale;
  email: string;
  app: MemberApp;
  /** What the token may do: what it may not is explained instead of shown. */
  scopes: readonly string[];
  /** Guards of the forms that leave the app and sign out. */
  forms: { app: Html; signOut: Html };
  bundle: Bundle;
  /** Scripts that are fetched at once instead of one after the other. */
  preload: readonly string[];
}

/**
 * The document that the dashboard's program fills. It names no token and runs nothing inline. The style
 * sheet's id is the one under which react-aria would otherwise insert a style element, which the content
 * security policy refuses.
 */
export function dashboardPage(view: DashboardView): string {
  const { dashboard, common } = textsFor(view.locale);
  const { bundle } = view;
  const config = JSON.stringify({
    locale: view.locale,
    email: view.email,
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
