import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';

export interface PasskeyChoice {
  label: string;
  hint: string;
  /** Asked for what the browser needs, with the form's fields but the password. */
  optionsPath: string;
  /** Where the form goes with the passkey that was made. */
  action: string;
  /** Said when no passkey was made. */
  failed: string;
  or: string;
}

/**
 * Making a passkey instead of choosing a password, inside the form that asks for one. Its script shows it
 * where the browser has passkeys.
 */
export function passkeyChoice({ label, hint, optionsPath, action, failed, or }: PasskeyChoice): Html {
  return html`<div data-passkey="create" data-options="${optionsPath}" data-action="${action}" hidden>
<input type="hidden" name="credential" value=""><p class="passkey-problem" role="alert" hidden>${failed}</p>
<div class="actions"><button type="button">${label}</button></div><p class="hint">${hint}</p><p class="or">${or}</p></div>`;
}
