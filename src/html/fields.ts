import type { Html } from './html.js';
import { html } from './html.js';

export interface TextField {
  name: string;
  label: string;
  /** `code`: digits copied from elsewhere. */
  type: 'email' | 'password' | 'text' | 'code';
  autocomplete: string;
  value?: string;
  hint?: string;
  error?: string;
  minLength?: number;
  /** The field may be empty. */
  optional?: boolean;
  /** Focus the field when the page opens. Without it: when it has an error. */
  focus?: boolean;
}

/** A labelled input whose hint and error are linked to it for assistive technology. */
export function textField(field: TextField): Html {
  const { focus = field.error !== undefined } = field;
  const describedBy = [field.hint && `${field.name}-hint`, field.error && `${field.name}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<div class="field">
    <label for="${field.name}">${field.label}</label>
    ${field.hint && html`<p class="hint" id="${field.name}-hint">${field.hint}</p>`}
    ${field.error && html`<p class="problem" id="${field.name}-error">${field.error}</p>`}
    <input
      id="${field.name}"
      name="${field.name}"
      type="${field.type === 'code' ? 'text' : field.type}"
      autocomplete="${field.autocomplete}"
      value="${field.value ?? ''}"
      ${field.optional !== true && html` required`}${field.minLength === undefined ? '' : html` minlength="${field.minLength}"`}${focus && html` autofocus`}${field.type === 'email' && html` autocapitalize="none" spellcheck="false"`}${field.type === 'code' && html` inputmode="numeric" maxlength="12" class="code"`}${describedBy !== '' && html` aria-describedby="${describedBy}"`}${field.error !== undefined && html` aria-invalid="true"`}
    />
  </div>`;
}

export interface CheckField {
  name: string;
  value: string;
  id: string;
  label: string;
  checked: boolean;
  body: Html;
}

/** A checkbox with an explanation. */
export function checkField(field: CheckField): Html {
  return html`<div class="check">
    <input
      type="checkbox"
      id="${field.id}"
      name="${field.name}"
      value="${field.value}"
      aria-describedby="${field.id}-about"
      ${field.checked && html` checked`}
    />
    <div>
      <label for="${field.id}">${field.label}</label>
      <div class="about" id="${field.id}-about">${field.body}</div>
    </div>
  </div>`;
}
