import type { Html, Printable } from './html.js';
import { html } from './html.js';

/** A message that screen readers announce: `error` at once, others at the next pause. */
export function notice(kind: 'error' | 'info' | 'success', body: Printable): Html {
  return html`<div class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${body}</div>`;
}
