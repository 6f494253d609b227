import { PASSWORD_MAX, PASSWORD_MIN, type FieldErrors } from '../accounts/forms.ts';
import type { PageAsset } from './assets.ts';
import { escapeHtml } from './html.ts';
import type { Page } from './layout.ts';

export interface CredentialForm {
  /** Path of the visit: '/interaction/{uid}'. */
  readonly base: string;
  /** Proves that the form is ours. */
  readonly csrf: string;
  /** What was typed; passwords are never shown again. */
  readonly typed?: { readonly email?: string; readonly name?: string };
  readonly errors?: FieldErrors;
  /** HTML of a message about the whole form. */
  readonly alert?: string;
}

interface Field {
  readonly name: 'name' | 'email' | 'password';
  readonly label: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly attributes?: string;
  readonly hint?: string;
}

function field(
  { name, label, type, autocomplete, attributes = '', hint }: Field,
  form: CredentialForm,
): string {
  const error = form.errors?.[name];
  const value = name === 'password' ? '' : (form.typed?.[name] ?? '');
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    `<div class="id-field"><label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${attributes}` +
    (value ? ` value="${escapeHtml(value)}"` : '') +
    (described ? ` aria-describedby="${described}"` : '') +
    (error ? ' aria-invalid="true"' : '') +
    (isFirstToMend(name, form) ? ' autofocus' : '') +
    '>' +
    (hint ? `<p class="id-hint" id="${name}-hint">${hint}</p>` : '') +
    (error ? `<p class="id-error" id="${name}-error">${escapeHtml(error)}</p>` : '') +
    '</div>'
  );
}

/** After a refusal the keyboard stands where something has to change. */
function isFirstToMend(name: string, { errors, alert }: CredentialForm): boolean {
  const first = ['name', 'email', 'password'].find((candidate) => errors?.[candidate]);
  return first === undefined ? alert !== undefined && name === 'password' : first === name;
}

/** `novalidate`: the server names every error at its field, the same in every browser. */
const formOf = (form: CredentialForm, action: string, fields: readonly Field[], button: string): string =>
  (form.alert ? `<div class="id-alert" role="alert"><p>${form.alert}</p></div>` : '') +
  `<form class="id-form" method="post" action="${form.base}/${action}" novalidate>` +
  `<input type="hidden" name="csrf" value="${escapeHtml(form.csrf)}">` +
  fields.map((each) => field(each, form)).join('') +
  `<button class="id-button" type="submit">${button}</button></form>`;

const otherWays = (form: CredentialForm, question: string, action: string, label: string): string =>
  `<div class="id-other"><p>${question} <a href="${form.base}/${action}">${label}</a></p>` +
  `<form method="post" action="${form.base}/cancel"><input type="hidden" name="csrf" value="${escapeHtml(form.csrf)}">` +
  '<button class="id-button is-quiet" type="submit">Go on without signing in</button></form></div>';

const EMAIL: Field = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  attributes: ' maxlength="254" inputmode="email" autocapitalize="none" spellcheck="false"',
};

export const signInPage = (form: CredentialForm): Page => ({
  title: 'Sign in',
  body:
    '<h1>Sign in</h1><p class="id-lead">See your saved vehicles and searches on any device.</p>' +
    formOf(
      form,
      'sign-in',
      [
        EMAIL,
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          attributes: ` maxlength="${PASSWORD_MAX}"`,
        },
      ],
      'Sign in',
    ) +
    otherWays(form, 'New here?', 'sign-up', 'Create a free account'),
});

export const signUpPage = (form: CredentialForm): Page => ({
  title: 'Create a free account',
  body:
    '<h1>Create a free account</h1><p class="id-lead">Save vehicles and searches, and hear of price drops.</p>' +
    formOf(
      form,
      'sign-up',
      [
        { name: 'name', label: 'Name', type: 'text', autocomplete: 'name', attributes: ' maxlength="80"' },
        EMAIL,
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'new-password',
          attributes: ` minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}"`,
          hint: `At least ${PASSWORD_MIN} characters. A few words together are easy to remember.`,
        },
      ],
      'Create account',
    ) +
    otherWays(form, 'Have an account?', 'sign-in', 'Sign in'),
});

/** `form` is the protocol's own, with the id that its fields refer to. */
export const signOutPage = (xsrf: string, action: string, script: PageAsset | undefined): Page => ({
  title: 'Sign out',
  ...(script ? { script } : {}),
  body:
    '<h1>Sign out?</h1><p class="id-lead">You can go on looking at vehicles without an account.</p>' +
    `<div class="id-actions"><form id="sign-out" method="post" action="${escapeHtml(action)}">` +
    `<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}"><input type="hidden" name="logout" value="yes">` +
    '<button class="id-button" type="submit">Sign out</button></form>' +
    `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">` +
    '<button class="id-button is-quiet" type="submit">Stay signed in here</button></form></div>',
});
