import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';

export interface PasskeyChoice {
  label: string;
  hint: string;
  /** The path that returns the passkey options. It gets the form's fields without the password. */
  optionsPath: string;
  /** The form's action once the passkey exists. */
  action: string;
  /** The message when no passkey was created. */
  failed: string;
  or: string;
}

/**
 * The choice to create a passkey instead of a password, inside the form that asks for one. Its script shows
 * it in browsers that support passkeys.
 */
export function passkeyChoice({ label, hint, optionsPath, action, failed, or }: PasskeyChoice): Html {
  return html`<div data-passkey="create" data-options="${optionsPath}" data-action="${action}" hidden>
<input type="hidden" name="credential" value=""><p class="passkey-problem" role="alert" hidden>${failed}</p>
<div class="actions"><button type="button">${label}</button></div><p class="hint">${hint}</p><p class="or">${or}</p></div>`;
}
