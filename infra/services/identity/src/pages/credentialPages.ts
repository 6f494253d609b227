import escapeHtml from 'escape-html';
import type { Page, PageAsset } from './layout.ts';
import type { StoredMail } from '../mail/outbox.ts';
import { type FieldErrors, PASSWORD_MAX, PASSWORD_MIN } from '../accounts/credentials.ts';

const alternatives = (form: CredentialForm, question: string, action: string, label: string): string =>
  `<div class="id-other"><p>${question} <a href="${form.base}/${action}">${label}</a></p>` +
  `<form method="post" action="${form.base}/cancel">${csrfField(form)}` +
  '<button class="id-button is-quiet" type="submit">Continue without signing in</button></form></div>';

const page = (title: string, lead: string, ...parts: string[]): Page => ({
  title,
  body: `<h1>${title}</h1><p class="id-lead">${lead}</p>${parts.join('')}`,
});

export const signInPage = (form: CredentialForm): Page =>
  page(
    'Sign in',
    'See your saved vehicles and searches on any device.',
    formHtml(form, '/sign-in', [EMAIL, PASSWORD], 'Sign in'),
    `<p class="id-forgot"><a href="${form.base}/forgot">Forgot your password?</a></p>`,
    alternatives(form, 'New here?', 'sign-up', 'Create a free account'),
  );

export const signUpPage = (form: CredentialForm): Page =>
  page(
    'Create a free account',
    'Save vehicles and searches, and get price drop alerts.',
    formHtml(form, '/sign-up', [NAME, EMAIL, NEW_PASSWORD], 'Create account'),
    alternatives(form, 'Have an account?', 'sign-in', 'Sign in'),
  );

export const forgotPage = (form: CredentialForm): Page =>
  page(
    'Forgot your password?',
    'Enter your email address and we’ll send you a link to choose a new one.',
    formHtml(form, '/forgot', [EMAIL], 'Send the link'),
    alternatives(form, 'Remembered it?', 'sign-in', 'Sign in'),
  );

/** The same page for every address. `outbox`: path of the outbox page in local mode. */
export const checkMailPage = (email: string, form: CredentialForm, outbox: string | undefined): Page =>
  page(
    'Check your email',
    `We sent an email to <strong>${escapeHtml(email)}</strong>. Its link expires in one hour.`,
    outbox === undefined
      ? '<p class="id-lead">No email after a few minutes? Check your spam folder and the address.</p>'
      : `<p class="id-lead">This installation has no mail server, so emails stay here.</p><div class="id-actions"><a class="id-button" href="${outbox}">Open the mails of this machine</a></div>`,
    alternatives(form, 'Another address?', 'sign-up', 'Start again'),
  );

/** Opened by a confirmation link. Any browser but the one that started the sign-up has to enter the password. */
export const confirmPage = (form: CredentialForm, email: string, asksPassword: boolean): Page =>
  page(
    'Confirm your email address',
    asksPassword
      ? `Your account for <strong>${escapeHtml(email)}</strong> is almost ready. Enter the password that you chose.`
      : `Your account for <strong>${escapeHtml(email)}</strong> is almost ready.`,
    formHtml(form, '', asksPassword ? [PASSWORD] : [], asksPassword ? 'Confirm' : 'Confirm and sign in'),
  );

const cancelForm = (form: CredentialForm, label: string): string =>
  `<div class="id-other"><form method="post" action="${form.base}/cancel">${csrfField(form)}` +
  `<button class="id-button is-quiet" type="submit">${label}</button></form></div>`;

export const deleteAccountPage = (form: CredentialForm): Page =>
  page(
    'Delete your account',
    'You’ll be signed out on all devices. This can’t be undone.',
    formHtml(form, '/delete-account', [CURRENT_PASSWORD], 'Delete my account'),
    cancelForm(form, 'Keep my account'),
  );

export const changePasswordPage = (form: CredentialForm): Page =>
  page(
    'Change your password',
    'You’ll be signed out on all other devices.',
    formHtml(
      form,
      '/change-password',
      [CURRENT_PASSWORD, { ...NEW_PASSWORD, label: 'New password' }],
      'Change password',
    ),
    cancelForm(form, 'Keep my password'),
  );

export const resetPage = (form: CredentialForm): Page =>
  page(
    'Choose a new password',
    'You’ll be signed out on all devices. Then sign in with your new password.',
    formHtml(form, '', [{ ...NEW_PASSWORD, label: 'New password' }], 'Set password'),
  );

/** `xsrf` and `action` are those of oidc-provider's form. */
export const signOutPage = (xsrf: string, action: string, script: PageAsset | undefined): Page => ({
  title: 'Sign out',
  ...(script ? { script } : {}),
  body:
    '<h1>Sign out?</h1><p class="id-lead">You can keep browsing without an account.</p>' +
    `<div class="id-actions"><form id="sign-out" method="post" action="${escapeHtml(action)}">` +
    `<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}"><input type="hidden" name="logout" value="yes">` +
    '<button class="id-button" type="submit">Sign out</button></form>' +
    `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">` +
    '<button class="id-button is-quiet" type="submit">Stay signed in</button></form></div>',
});

const isLink = (line: string): boolean => /^https?:\/\/\S+$/.test(line);

const lineHtml = (line: string): string =>
  isLink(line) ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line);

/** Shows outgoing mails in local mode, where there is no mail server. */
export const outboxPage = (mails: readonly StoredMail[]): Page => ({
  title: 'Mails of this machine',
  body:
    '<h1>Mails of this machine</h1><p class="id-lead">Without a mail server, account emails stay here, newest first.</p>' +
    (mails.length === 0
      ? '<p class="id-lead">There are no emails yet.</p>'
      : `<ol class="id-mails">${mails
          .map(
            ({ to, subject, text }) =>
              `<li><h2>${escapeHtml(subject)}</h2><p class="id-hint">To ${escapeHtml(to)}</p><pre>${text.trim().split('\n').map(lineHtml).join('\n')}</pre></li>`,
          )
          .join('')}</ol>`),
});

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

const NAME: Field = {
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  attributes: ' maxlength="80"',
};
const EMAIL: Field = {
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  attributes: ' maxlength="254" inputmode="email" autocapitalize="none" spellcheck="false"',
};
const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  attributes: ` maxlength="${PASSWORD_MAX}"`,
};
const CURRENT_PASSWORD: Field = { ...PASSWORD, name: 'current', label: 'Current password' };
const NEW_PASSWORD: Field = {
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

const csrfField = ({ csrf }: Pick<CredentialForm, 'csrf'>): string =>
  `<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">`;

/** `novalidate`: the server shows all errors at their fields, the same in every browser. */
function formHtml(form: CredentialForm, action: string, fields: readonly Field[], button: string): string {
  const focused = firstInvalid(fields, form);
  return (
    (form.alert ? `<div class="id-alert" role="alert"><p>${escapeHtml(form.alert)}</p></div>` : '') +
    `<form class="id-form" method="post" action="${escapeHtml(form.base + action)}" novalidate>` +
    csrfField(form) +
    fields.map((each) => field(each, form, each.name === focused)).join('') +
    `<button class="id-button" type="submit">${button}</button></form>`
  );
}
