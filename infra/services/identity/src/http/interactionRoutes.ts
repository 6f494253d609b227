import { Router, urlencoded, type Request, type RequestHandler, type Response } from 'express';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { z } from 'zod';
import type { Account } from '../accounts/accountStore.ts';
import type { Accounts } from '../accounts/accounts.ts';
import {
  changePasswordSchema,
  fieldErrors,
  forgotSchema,
  signInSchema,
  signUpSchema,
} from '../accounts/forms.ts';
import type { EndSessions } from '../oidc/sessions.ts';
import type { CredentialForm } from '../pages/credentialForm.ts';
import {
  changePasswordPage,
  checkMailPage,
  forgotPage,
  signInPage,
  signUpPage,
} from '../pages/credentialPages.ts';
import type { Page } from '../pages/layout.ts';
import type { Metrics } from './metrics.ts';
import { createRateLimits, type Limits } from './rateLimits.ts';
import { visitPath, type Visit, type Visits } from './visits.ts';

export interface InteractionDeps {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly endSessions: EndSessions;
  readonly visits: Visits;
  readonly metrics: Metrics;
  readonly limits: Limits;
  /** Path of the mails of one's own machine; undefined where a mail server takes them. */
  readonly outboxPath: string | undefined;
}

/** The same words for a wrong password and an unknown address. */
const SIGN_IN_REFUSED = 'The email address or the password is wrong. Check both and try again.';
export const LIMITED = 'Too many tries. Wait a few minutes and try again.';

const FORMS = {
  'sign-in': signInPage,
  'sign-up': signUpPage,
  forgot: forgotPage,
  'change-password': changePasswordPage,
} as const;
type FormName = keyof typeof FORMS;
const FIRST_FORM: Readonly<Record<string, FormName>> = { create: 'sign-up', password: 'change-password' };

/** What a form leads to: an error at a field or above all, a page, or back to the shop. */
type Outcome =
  | { readonly refused: Partial<Pick<CredentialForm, 'alert' | 'errors'>> }
  | { readonly page: Page }
  | { readonly result: InteractionResults };

export const signedInAs = ({ id }: Account): InteractionResults => ({
  login: { accountId: id, remember: true },
  create: {},
});

/** The pages of a visit that the shop has sent here: `/interaction/{uid}`. */
export function interactionRoutes(deps: InteractionDeps): Router {
  const { provider, accounts, endSessions, visits, metrics, outboxPath } = deps;
  const formOf = ({ uid }: Visit) => visits.formOf(visitPath(uid), uid);
  const checkMail = (email: string, visit: Visit): Outcome => ({
    page: checkMailPage(email, formOf(visit), outboxPath),
  });
  const show = (name: FormName, response: Response, status = 200, more: Partial<CredentialForm> = {}) => {
    const visit = visits.of(response);
    visits.send(response, status, FORMS[name]({ ...formOf(visit), ...more }), visit.place);
  };
  const typedIn = (request: Request): { email: string; name: string } => {
    const { email, name } = request.body as Record<string, unknown>;
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 254) : '');
    return { email: text(email), name: text(name) };
  };
  const limited = (name: FormName) =>
    createRateLimits(
      deps.limits,
      (request, response) => {
        metrics.count(name, 'limited');
        show(name, response, 429, { typed: typedIn(request), alert: LIMITED });
      },
      // What sends a mail counts every time: nobody's mailbox is flooded from here.
      { countsAccepted: name === 'sign-up' || name === 'forgot' },
    );

  /** Takes a form in: errors at their fields, a refusal, a page that says what is next, or on to the shop. */
  const take =
    <Form extends z.ZodType>(
      name: FormName,
      schema: Form,
      run: (form: z.output<Form>, visit: Visit) => Promise<Outcome>,
    ): RequestHandler =>
    async (request, response) => {
      const visit = visits.of(response);
      const typed = typedIn(request);
      const empty = { name: '', email: '', current: '', password: '' };
      const parsed = schema.safeParse({ ...empty, ...(request.body as object) });
      if (!parsed.success) {
        metrics.count(name, 'invalid');
        return show(name, response, 422, { typed, errors: fieldErrors(parsed.error) });
      }
      const outcome = await run(parsed.data, visit);
      if ('refused' in outcome) {
        metrics.count(name, 'refused');
        return show(name, response, 422, { typed, ...outcome.refused });
      }
      metrics.count(name, 'accepted');
      if ('page' in outcome) return visits.send(response, 200, outcome.page, visit.place);
      return provider.interactionFinished(request, response, outcome.result, {
        mergeWithLastSubmission: false,
      });
    };

  const router = Router();
  const { begun } = visits;
  const genuine = visits.genuine((request) => String(request.params['uid']));
  const body = urlencoded({ extended: false, limit: '8kb' });
  const form = <Form extends z.ZodType>(
    name: FormName,
    schema: Form,
    run: (form: z.output<Form>, visit: Visit) => Promise<Outcome>,
  ) =>
    router.post(`/interaction/:uid/${name}`, body, begun, genuine, ...limited(name), take(name, schema, run));

  router.get('/interaction/:uid', begun, (_, response) =>
    show(FIRST_FORM[visits.of(response).prompt] ?? 'sign-in', response),
  );
  for (const name of ['sign-in', 'sign-up', 'forgot'] as const)
    router.get(`/interaction/:uid/${name}`, begun, (_, response) => show(name, response));

  form('sign-in', signInSchema, async ({ email, password }) => {
    const account = await accounts.signIn(email, password);
    return account ? { result: signedInAs(account) } : { refused: { alert: SIGN_IN_REFUSED } };
  });
  form('sign-up', signUpSchema, async (asked, visit) => {
    const account = await accounts.signUp(asked, visit.place);
    return account ? { result: signedInAs(account) } : checkMail(asked.email, visit);
  });
  form('forgot', forgotSchema, async ({ email }, visit) => {
    await accounts.requestReset(email, visit.place);
    return checkMail(email, visit);
  });
  form('change-password', changePasswordSchema, async ({ current, password }, { session }) => {
    if (!session) return { refused: { alert: 'You are signed out. Sign in again first.' } };
    const { accountId, uid } = session;
    if (!(await accounts.changePassword(accountId, current, password)))
      return { refused: { errors: { current: 'This is not your password' } } };
    endSessions(accountId, uid);
    return { result: { password: {} } };
  });
  router.post('/interaction/:uid/cancel', body, begun, genuine, (request, response) =>
    provider.interactionFinished(
      request,
      response,
      { error: 'access_denied', error_description: 'the visitor went on without signing in' },
      { mergeWithLastSubmission: false },
    ),
  );
  return router;
}
