import escapeHtml from 'escape-html';
import { PASSWORD_MAX, PASSWORD_MIN, type FieldErrors } from '../accounts/forms.ts';

export interface CredentialForm {
  /** Path of the visit: '/interaction/{uid}'. */
  readonly base: string;
  /** Proves that the form is ours. */
  readonly csrf: string;
  /** What was typed; passwords are never shown again. */
  readonly typed?: { readonly email?: string; readonly name?: string };
  readonly errors?: FieldErrors;
  /** Plain text of a message about the whole form. */
  readonly alert?: string;
}

/** In the order of the forms. */
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
  hint: `At least ${PASSWORD_MIN} characters. A few words together are easy to remember.`,
};

function field(
  { name, label, type, autocomplete, attributes = '', hint }: Field,
  form: CredentialForm,
  isFirstToMend: boolean,
): string {
  const error = form.errors?.[name];
  const value = name === 'name' || name === 'email' ? (form.typed?.[name] ?? '') : '';
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    `<div class="id-field"><label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${attributes}` +
    (value ? ` value="${escapeHtml(value)}"` : '') +
    (described ? ` aria-describedby="${described}"` : '') +
    (error ? ' aria-invalid="true"' : '') +
    (isFirstToMend ? ' autofocus' : '') +
    '>' +
    (hint ? `<p class="id-hint" id="${name}-hint">${hint}</p>` : '') +
    (error ? `<p class="id-error" id="${name}-error">${escapeHtml(error)}</p>` : '') +
    '</div>'
  );
}

/** After a refusal the keyboard stands where something has to change: the first wrong field, else the first password. */
function firstToMend(fields: readonly Field[], { errors, alert }: CredentialForm): string | undefined {
  const first = NAMES.find((name) => errors?.[name]);
  if (first !== undefined || alert === undefined) return first;
  return fields.find(({ type }) => type === 'password')?.name ?? fields[0]?.name;
}

export const csrfField = ({ csrf }: Pick<CredentialForm, 'csrf'>): string =>
  `<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">`;

/** `novalidate`: the server names every error at its field, the same in every browser. */
export function formHtml(
  form: CredentialForm,
  action: string,
  fields: readonly Field[],
  button: string,
): string {
  const mended = firstToMend(fields, form);
  return (
    (form.alert ? `<div class="id-alert" role="alert"><p>${escapeHtml(form.alert)}</p></div>` : '') +
    `<form class="id-form" method="post" action="${escapeHtml(form.base + action)}" novalidate>` +
    csrfField(form) +
    fields.map((each) => field(each, form, each.name === mended)).join('') +
    `<button class="id-button" type="submit">${button}</button></form>`
  );
}
