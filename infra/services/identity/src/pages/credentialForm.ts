import escapeHtml from 'escape-html';
import { PASSWORD_MAX, PASSWORD_MIN, type FieldErrors } from '../accounts/forms.ts';

export interface CredentialForm {
  /** Path of the form, e.g. '/interaction/{uid}'. */
  readonly base: string;
  /** CSRF token. */
  readonly csrf: string;
  /** Submitted values; passwords are never echoed. */
  readonly typed?: { readonly email?: string; readonly name?: string };
  readonly errors?: FieldErrors;
  /** Plain-text error about the whole form. */
  readonly alert?: string;
}

/** In form order. */
const NAMES = ['name', 'email', 'current', 'password'] as const;

interface Field {
  readonly name: (typeof NAMES)[number];
  readonly label: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly attributes?: string;
  readonly hint?: string;
}

export const NAME: Field = {
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  attributes: ' maxlength="80"',
};
export const EMAIL: Field = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  attributes: ' maxlength="254" inputmode="email" autocapitalize="none" spellcheck="false"',
};
export const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  attributes: ` maxlength="${PASSWORD_MAX}"`,
};
export const CURRENT_PASSWORD: Field = { ...PASSWORD, name: 'current', label: 'Current password' };
export const NEW_PASSWORD: Field = {
  ...PASSWORD,
  autocomplete: 'new-password',
  attributes: ` minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}"`,
  hint: `At least ${PASSWORD_MIN} characters. A few random words are easy to remember.`,
};

function field(
  { name, label, type, autocomplete, attributes = '', hint }: Field,
  form: CredentialForm,
  hasFocus: boolean,
): string {
  const error = form.errors?.[name];
  const value = name === 'name' || name === 'email' ? (form.typed?.[name] ?? '') : '';
  const descriptionIds = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    `<div class="id-field"><label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${attributes}` +
    (value ? ` value="${escapeHtml(value)}"` : '') +
    (descriptionIds ? ` aria-describedby="${descriptionIds}"` : '') +
    (error ? ' aria-invalid="true"' : '') +
    (hasFocus ? ' autofocus' : '') +
    '>' +
    (hint ? `<p class="id-hint" id="${name}-hint">${hint}</p>` : '') +
    (error ? `<p class="id-error" id="${name}-error">${escapeHtml(error)}</p>` : '') +
    '</div>'
  );
}

/** Field to focus after an error: the first invalid one, else the password. */
function firstInvalid(fields: readonly Field[], { errors, alert }: CredentialForm): string | undefined {
  const first = NAMES.find((name) => errors?.[name]);
  if (first !== undefined || alert === undefined) return first;
  return fields.find(({ type }) => type === 'password')?.name ?? fields[0]?.name;
}

export const csrfField = ({ csrf }: Pick<CredentialForm, 'csrf'>): string =>
  `<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">`;

/** `novalidate`: the server shows all errors at their fields, the same in every browser. */
export function formHtml(
  form: CredentialForm,
  action: string,
  fields: readonly Field[],
  button: string,
): string {
  const focused = firstInvalid(fields, form);
  return (
    (form.alert ? `<div class="id-alert" role="alert"><p>${escapeHtml(form.alert)}</p></div>` : '') +
    `<form class="id-form" method="post" action="${escapeHtml(form.base + action)}" novalidate>` +
    csrfField(form) +
    fields.map((each) => field(each, form, each.name === focused)).join('') +
    `<button class="id-button" type="submit">${button}</button></form>`
  );
}
