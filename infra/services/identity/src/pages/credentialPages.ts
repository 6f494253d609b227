import escapeHtml from 'escape-html';
import type { PageAsset } from './assets.ts';
import {
  csrfField,
  CURRENT_PASSWORD,
  EMAIL,
  formHtml,
  NAME,
  NEW_PASSWORD,
  PASSWORD,
  type CredentialForm,
} from './credentialForm.ts';
import type { Page } from './layout.ts';

const otherWays = (form: CredentialForm, question: string, action: string, label: string): string =>
  `<div class="id-other"><p>${question} <a href="${form.base}/${action}">${label}</a></p>` +
  `<form method="post" action="${form.base}/cancel">${csrfField(form)}` +
  '<button class="id-button is-quiet" type="submit">Go on without signing in</button></form></div>';

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
    otherWays(form, 'New here?', 'sign-up', 'Create a free account'),
  );

export const signUpPage = (form: CredentialForm): Page =>
  page(
    'Create a free account',
    'Save vehicles and searches, and hear of price drops.',
    formHtml(form, '/sign-up', [NAME, EMAIL, NEW_PASSWORD], 'Create account'),
    otherWays(form, 'Have an account?', 'sign-in', 'Sign in'),
  );

export const forgotPage = (form: CredentialForm): Page =>
  page(
    'Forgot your password?',
    'Tell us your email address: we send you a link to choose a new one.',
    formHtml(form, '/forgot', [EMAIL], 'Send the link'),
    otherWays(form, 'Remembered it?', 'sign-in', 'Sign in'),
  );

/** The same for every address. `outbox`: where the mails of one's own machine are. */
export const checkMailPage = (email: string, form: CredentialForm, outbox: string | undefined): Page =>
  page(
    'Check your mail',
    `We have written to <strong>${escapeHtml(email)}</strong>. The link in that mail is good for one hour.`,
    outbox === undefined
      ? '<p class="id-lead">No mail after a few minutes? Look into the spam folder, and check the address.</p>'
      : `<p class="id-lead">This installation has no mail server, so its mails stay here.</p><div class="id-actions"><a class="id-button" href="${outbox}">Open the mails of this machine</a></div>`,
    otherWays(form, 'Another address?', 'sign-up', 'Start again'),
  );

/** What a mailed link of a sign-up opens; whoever is not in the browser that began it has to know its password. */
export const confirmPage = (form: CredentialForm, email: string, asksPassword: boolean): Page =>
  page(
    'Confirm your email address',
    asksPassword
      ? `Your account for <strong>${escapeHtml(email)}</strong> is nearly ready. Enter the password that you have chosen.`
      : `Your account for <strong>${escapeHtml(email)}</strong> is nearly ready.`,
    formHtml(form, '', asksPassword ? [PASSWORD] : [], asksPassword ? 'Confirm' : 'Confirm and sign in'),
  );

export const changePasswordPage = (form: CredentialForm): Page =>
  page(
    'Change your password',
    'Everywhere else you are signed out.',
    formHtml(
      form,
      '/change-password',
      [CURRENT_PASSWORD, { ...NEW_PASSWORD, label: 'New password' }],
      'Change password',
    ),
    `<div class="id-other"><form method="post" action="${form.base}/cancel">${csrfField(form)}<button class="id-button is-quiet" type="submit">Keep the old one</button></form></div>`,
  );

export const resetPage = (form: CredentialForm): Page =>
  page(
    'Choose a new password',
    'Afterwards you are signed out everywhere and sign in with it.',
    formHtml(form, '', [{ ...NEW_PASSWORD, label: 'New password' }], 'Set password'),
  );

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
