import type { Html, Printable } from './html.js';
import { html } from './html.js';

/** A message that assistive technology announces: `error` at once, the others when there is a pause. */
export function notice(kind: 'error' | 'info' | 'success', body: Printable): Html {
  return html`<div class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${body}</div>`;
}
