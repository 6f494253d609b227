import type { CreateRateCounters } from '@forecourt/service-kit/rateCounters';
import { type Request, type RequestHandler, type Response, Router, urlencoded } from 'express';
import type { Provider } from 'oidc-provider';
import { type Accounts, confirmPath, type Place, resetPath, signInUrl } from '../accounts/accounts.ts';
import { fieldErrors, isPassword, newPasswordSchema } from '../accounts/credentials.ts';
import type { EndSessions } from '../oidc/storage.ts';
import { confirmPage, resetPage } from '../pages/credentialPages.ts';
import { messagePage } from '../pages/layout.ts';
import { RATE_LIMITED, signedInAs } from './interactionRoutes.ts';
import { type Devices, type Limits, type Metrics, createRateLimits } from './middleware.ts';
import type { Visits } from './visits.ts';

const param = (request: Request, name: string): string => String(request.params[name]);

interface LinkDeps {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly endSessions: EndSessions;
  readonly visits: Visits;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly counters?: CreateRateCounters | undefined;
  readonly devices: Devices;
}

/** The new or confirmed password that a form sends. */
function passwordOf({ body: fields }: Request): string {
  const { password } = (fields ?? {}) as { password?: unknown };
  return typeof password === 'string' ? password : '';
}

/** Sends the page that says a link's form was accepted. */
const sendDone = (visits: Visits, response: Response, title: string, text: string, place: Place): void =>
  visits.send(response, 200, messagePage(title, text, { href: signInUrl(place), label: 'Sign in' }), place);

/** Checks that run before a link's form is handled. Each form has its own limit. */
const formChecks = ({ visits, limits, devices, counters }: LinkDeps, name: string): RequestHandler[] => [
  urlencoded({ extended: false, limit: '8kb' }),
  // The forms are bound to the link's secret.
  visits.verifyForm((request) => param(request, 'secret')),
  ...createRateLimits(
    limits,
    (_, response) =>
      visits.send(
        response,
        429,
        messagePage('Too many attempts', RATE_LIMITED, { href: '', label: 'Try again' }),
      ),
    { devices, counters: counters && ((limit) => counters(`${name} ${limit}`)) },
  ),
];

/** The sign-up that a confirmation link belongs to; undefined when the link is not valid. */
async function findConfirmation({ accounts, visits }: LinkDeps, request: Request, response: Response) {
  const [uid, secret] = [param(request, 'uid'), param(request, 'secret')];
  const signUp = await accounts.findSignUp(secret);
  if (!signUp || signUp.place.visit !== uid) return undefined;
  const visit = await visits.find(request, response);
  return { secret, signUp, visit, form: visits.formOf(confirmPath(uid, secret), secret) };
}

/** Adds the page that confirms an email address. */
function addConfirmRoutes(router: Router, deps: LinkDeps): void {
  const { provider, accounts, visits, devices, metrics } = deps;
  router.get('/interaction/:uid/confirm/:secret', async (request, response) => {
    const link = await findConfirmation(deps, request, response);
    if (!link) return visits.sendExpired(response);
    const { form, signUp, visit } = link;
    return visits.send(response, 200, confirmPage(form, signUp.email, !visit), signUp.place);
  });
  router.post(
    '/interaction/:uid/confirm/:secret',
    ...formChecks(deps, 'confirm'),
    async (request, response) => {
      const link = await findConfirmation(deps, request, response);
      if (!link) return visits.sendExpired(response);
      const { form, secret, signUp, visit } = link;
      // In another browser the link alone is not enough: someone else may have chosen the password.
      if (!visit && !(await isPassword(passwordOf(request), signUp.passwordHash))) {
        metrics.count('confirm', 'refused');
        const refused = { ...form, errors: { password: 'This password is incorrect' } };
        return visits.send(response, 422, confirmPage(refused, signUp.email, true), signUp.place);
      }
      const account = await accounts.confirm(secret);
      if (!account) return visits.sendExpired(response, signUp.place);
      metrics.count('confirm', 'accepted');
      devices.remember(response, account.email);
      if (visit)
        return provider.interactionFinished(request, response, signedInAs(account), {
          mergeWithLastSubmission: false,
        });
      const text = 'Your email address is confirmed.';
      return sendDone(visits, response, 'Your account is ready', text, signUp.place);
    },
  );
}

/** Adds the page that sets a new password. */
function addResetRoutes(router: Router, deps: LinkDeps): void {
  const { accounts, endSessions, visits, metrics } = deps;
  router.get('/reset/:secret', async (request, response) => {
    const secret = param(request, 'secret');
    const place = await accounts.findReset(secret);
    if (!place) return visits.sendExpired(response);
    return visits.send(response, 200, resetPage(visits.formOf(resetPath(secret), secret)), place);
  });
  router.post('/reset/:secret', ...formChecks(deps, 'reset'), async (request, response) => {
    const secret = param(request, 'secret');
    const place = await accounts.findReset(secret);
    if (!place) return visits.sendExpired(response);
    const parsed = newPasswordSchema.safeParse({ password: passwordOf(request) });
    if (!parsed.success) {
      metrics.count('reset', 'invalid');
      const form = { ...visits.formOf(resetPath(secret), secret), errors: fieldErrors(parsed.error) };
      return visits.send(response, 422, resetPage(form), place);
    }
    const account = await accounts.reset(secret, parsed.data.password);
    if (!account) return visits.sendExpired(response, place);
    await endSessions(account.id);
    metrics.count('reset', 'accepted');
    const text = 'You’re signed out on all devices.';
    return sendDone(visits, response, 'Your password was changed', text, place);
  });
}

/**
 * Pages behind mailed links. Opening a link changes nothing, because mail
 * scanners open links too; only its form does.
 */
export function linkRoutes(deps: LinkDeps): Router {
  const router = Router();
  addConfirmRoutes(router, deps);
  addResetRoutes(router, deps);
  return router;
}
