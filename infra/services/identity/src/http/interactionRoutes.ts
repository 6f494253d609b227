import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { type Request, type RequestHandler, type Response, Router, urlencoded } from 'express';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { z } from 'zod';
import type { Account } from '../store/accountStore.ts';
import type { Accounts } from '../accounts/accounts.ts';
import {
  changePasswordSchema,
  deleteAccountSchema,
  fieldErrors,
  forgotSchema,
  signInSchema,
  signUpSchema,
} from '../accounts/credentials.ts';
import type { EndSessions } from '../oidc/storage.ts';
import {
  type CredentialForm,
  changePasswordPage,
  checkMailPage,
  deleteAccountPage,
  forgotPage,
  signInPage,
  signUpPage,
} from '../pages/credentialPages.ts';
import { messagePage, type Page } from '../pages/layout.ts';
import { type Devices, type Limits, type Metrics, createRateLimits } from './middleware.ts';
import { type Visit, type Visits, visitPath } from './visits.ts';

export interface InteractionDeps {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly endSessions: EndSessions;
  readonly visits: Visits;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly counters?: CreateRateCounters | undefined;
  readonly devices: Devices;
  /** Path of the outbox page; undefined with a mail server. */
  readonly outboxPath: string | undefined;
}

/** The same message for a wrong password and an unknown address. */
const SIGN_IN_REFUSED = 'The email address or password is incorrect. Check both and try again.';
export const RATE_LIMITED = 'Too many attempts. Wait a few minutes and try again.';

const FORMS = {
  'sign-in': signInPage,
  'sign-up': signUpPage,
  forgot: forgotPage,
  'change-password': changePasswordPage,
  'delete-account': deleteAccountPage,
} as const;
type FormName = keyof typeof FORMS;
const FIRST_FORM: Readonly<Record<string, FormName>> = {
  create: 'sign-up',
  password: 'change-password',
  delete: 'delete-account',
};

/** Result of a form: errors, a page, or back to the shop. */
type Outcome =
  | { readonly refused: Partial<Pick<CredentialForm, 'alert' | 'errors'>> }
  | { readonly page: Page }
  | { readonly result: InteractionResults };

export const signedInAs = ({ id }: Account): InteractionResults => ({
  login: { accountId: id, remember: true },
  create: {},
});

/** Runs a form whose fields are valid. */
type RunForm<Form extends z.ZodType> = (form: z.output<Form>, visit: Visit) => Promise<Outcome>;

/** Adds the POST route of a form. */
type AddForm = <Form extends z.ZodType>(name: FormName, schema: Form, run: RunForm<Form>) => void;

/** Fields that a form shows again when it is sent back. */
function typedIn(request: Request): { email: string; name: string } {
  const { email, name } = request.body as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 254) : '');
  return { email: text(email), name: text(name) };
}

/** The form fields shared by all pages of a visit. */
const formOf = (visits: Visits, { uid }: Visit) => visits.formOf(visitPath(uid), uid);

/** Sends the page of a form. */
function showForm(
  visits: Visits,
  name: FormName,
  response: Response,
  status = 200,
  more: Partial<CredentialForm> = {},
): void {
  const visit = visits.visitOf(response);
  visits.send(response, status, FORMS[name]({ ...formOf(visits, visit), ...more }), visit.place);
}

/** Rate limits of one form. */
const limitForm = (
  { limits, devices, metrics, visits, counters }: InteractionDeps,
  name: FormName,
): RequestHandler[] =>
  createRateLimits(
    limits,
    (request, response) => {
      metrics.count(name, 'limited');
      showForm(visits, name, response, 429, { typed: typedIn(request), alert: RATE_LIMITED });
    },
    // Forms that send mail count every time, so that they cannot flood a mailbox.
    {
      devices,
      counters: counters && ((limit) => counters(`${name} ${limit}`)),
      sendsMail: name === 'sign-up' || name === 'forgot',
    },
  );

/** Handles a form: validates it, runs it, and sends its outcome. */
const handleForm =
  <Form extends z.ZodType>(
    { provider, visits, devices, metrics }: InteractionDeps,
    name: FormName,
    schema: Form,
    run: RunForm<Form>,
  ): RequestHandler =>
  async (request, response) => {
    const visit = visits.visitOf(response);
    const typed = typedIn(request);
    const empty = { name: '', email: '', current: '', password: '' };
    const parsed = schema.safeParse({ ...empty, ...(request.body as object) });
    if (!parsed.success) {
      metrics.count(name, 'invalid');
      return showForm(visits, name, response, 422, { typed, errors: fieldErrors(parsed.error) });
    }
    const outcome = await run(parsed.data, visit);
    if ('refused' in outcome) {
      metrics.count(name, 'refused');
      return showForm(visits, name, response, 422, { typed, ...outcome.refused });
    }
    metrics.count(name, 'accepted');
    if ('page' in outcome) return visits.send(response, 200, outcome.page, visit.place);
    if (outcome.result.login) devices.remember(response, typed.email);
    return provider.interactionFinished(request, response, outcome.result, {
      mergeWithLastSubmission: false,
    });
  };

const SIGNED_OUT: Outcome = { refused: { alert: 'You’re signed out. Sign in again first.' } };
const WRONG_PASSWORD: Outcome = { refused: { errors: { current: 'This password is incorrect' } } };

/** Adds the forms that visitors can send. */
function addForms({ accounts, endSessions, visits, outboxPath }: InteractionDeps, addForm: AddForm): void {
  const checkMail = (email: string, visit: Visit): Outcome => ({
    page: checkMailPage(email, formOf(visits, visit), outboxPath),
  });
  addForm('sign-in', signInSchema, async ({ email, password }) => {
    const account = await accounts.signIn(email, password);
    return account ? { result: signedInAs(account) } : { refused: { alert: SIGN_IN_REFUSED } };
  });
  addForm('sign-up', signUpSchema, async (fields, visit) => {
    const account = await accounts.signUp(fields, visit.place);
    return account ? { result: signedInAs(account) } : checkMail(fields.email, visit);
  });
  addForm('forgot', forgotSchema, async ({ email }, visit) => {
    await accounts.requestReset(email, visit.place);
    return checkMail(email, visit);
  });
  addForm('change-password', changePasswordSchema, async ({ current, password }, { session }) => {
    if (!session) return SIGNED_OUT;
    const { accountId, uid } = session;
    if (!(await accounts.changePassword(accountId, current, password))) return WRONG_PASSWORD;
    await endSessions(accountId, uid);
    return { result: { password: {} } };
  });
  addForm('delete-account', deleteAccountSchema, async ({ current }, { session, place }) => {
    if (!session) return SIGNED_OUT;
    if (!(await accounts.remove(session.accountId, current))) return WRONG_PASSWORD;
    await endSessions(session.accountId);
    const link = { href: `${place.shop}/`, label: 'See cars for sale' };
    return { page: messagePage('Your account is deleted', 'You’re signed out on all devices.', link) };
  });
}

/** Pages of a visit: `/interaction/{uid}`. */
export function interactionRoutes(deps: InteractionDeps): Router {
  const { provider, visits } = deps;
  const router = Router();
  const { requireVisit } = visits;
  const verifyForm = visits.verifyForm((request) => String(request.params['uid']));
  const body = urlencoded({ extended: false, limit: '8kb' });

  router.get('/interaction/:uid', requireVisit, (_, response) =>
    showForm(visits, FIRST_FORM[visits.visitOf(response).prompt] ?? 'sign-in', response),
  );
  for (const name of ['sign-in', 'sign-up', 'forgot'] as const)
    router.get(`/interaction/:uid/${name}`, requireVisit, (_, response) => showForm(visits, name, response));

  addForms(deps, (name, schema, run) =>
    router.post(
      `/interaction/:uid/${name}`,
      body,
      requireVisit,
      verifyForm,
      ...limitForm(deps, name),
      handleForm(deps, name, schema, run),
    ),
  );
  router.post('/interaction/:uid/cancel', body, requireVisit, verifyForm, (request, response) =>
    provider.interactionFinished(
      request,
      response,
      { error: 'access_denied', error_description: 'the visitor continued without signing in' },
      { mergeWithLastSubmission: false },
    ),
  );
  return router;
}
