import { Router, urlencoded, type Request, type Response } from 'express';
import type { Provider } from 'oidc-provider';
import { confirmPath, resetPath, signInUrl, type Place } from '../accounts/accountMails.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { fieldErrors, newPasswordSchema } from '../accounts/forms.ts';
import { isPassword } from '../accounts/passwords.ts';
import type { EndSessions } from '../oidc/sessions.ts';
import { confirmPage, resetPage } from '../pages/credentialPages.ts';
import { messagePage } from '../pages/layout.ts';
import { LIMITED, signedInAs } from './interactionRoutes.ts';
import type { Metrics } from './metrics.ts';
import { createRateLimits, type Limits } from './rateLimits.ts';
import type { Visits } from './visits.ts';

const param = (request: Request, name: string): string => String(request.params[name]);

/**
 * What mailed links open. Opening one changes nothing, since mail scanners do
 * that too: its form does.
 */
export function linkRoutes(deps: {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly endSessions: EndSessions;
  readonly visits: Visits;
  readonly metrics: Metrics;
  readonly limits: Limits;
}): Router {
  const { provider, accounts, endSessions, visits, metrics } = deps;
  const router = Router();
  const body = urlencoded({ extended: false, limit: '8kb' });
  // Who has the link has its secret: its forms are bound to that.
  const genuine = visits.genuine((request) => param(request, 'secret'));
  const formOf = (path: string, secret: string) => visits.formOf(path, secret);
  /** Each form counts its own tries. */
  const limited = () =>
    createRateLimits(deps.limits, (_, response) =>
      visits.send(response, 429, messagePage('Too many tries', LIMITED, { href: '', label: 'Try again' })),
    );
  const sendDone = (response: Response, title: string, text: string, place: Place) =>
    visits.send(response, 200, messagePage(title, text, { href: signInUrl(place), label: 'Sign in' }), place);
  const passwordOf = ({ body: sent }: Request): string => {
    const { password } = (sent ?? {}) as { password?: unknown };
    return typeof password === 'string' ? password : '';
  };

  const confirming = async (request: Request, response: Response) => {
    const [uid, secret] = [param(request, 'uid'), param(request, 'secret')];
    const waiting = accounts.waiting(secret);
    if (!waiting || waiting.place.visit !== uid) return undefined;
    const visit = await visits.find(request, response);
    return { secret, waiting, visit, form: formOf(confirmPath(uid, secret), secret) };
  };
  router.get('/interaction/:uid/confirm/:secret', async (request, response) => {
    const link = await confirming(request, response);
    if (!link) return visits.sendLost(response);
    const { form, waiting, visit } = link;
    return visits.send(response, 200, confirmPage(form, waiting.email, !visit), waiting.place);
  });
  router.post('/interaction/:uid/confirm/:secret', body, genuine, ...limited(), async (request, response) => {
    const link = await confirming(request, response);
    if (!link) return visits.sendLost(response);
    const { form, secret, waiting, visit } = link;
    // Elsewhere the mail alone is not enough: somebody else may have chosen the password.
    if (!visit && !(await isPassword(passwordOf(request), waiting.passwordHash))) {
      metrics.count('confirm', 'refused');
      const refused = { ...form, errors: { password: 'This is not the password of the sign-up' } };
      return visits.send(response, 422, confirmPage(refused, waiting.email, true), waiting.place);
    }
    const account = accounts.confirm(secret);
    if (!account) return visits.sendLost(response, waiting.place);
    metrics.count('confirm', 'accepted');
    if (visit)
      return provider.interactionFinished(request, response, signedInAs(account), {
        mergeWithLastSubmission: false,
      });
    return sendDone(response, 'Your account is ready', 'Your email address is confirmed.', waiting.place);
  });

  router.get('/reset/:secret', (request, response) => {
    const secret = param(request, 'secret');
    const place = accounts.resetting(secret);
    if (!place) return visits.sendLost(response);
    return visits.send(response, 200, resetPage(formOf(resetPath(secret), secret)), place);
  });
  router.post('/reset/:secret', body, genuine, ...limited(), async (request, response) => {
    const secret = param(request, 'secret');
    const place = accounts.resetting(secret);
    if (!place) return visits.sendLost(response);
    const parsed = newPasswordSchema.safeParse({ password: passwordOf(request) });
    if (!parsed.success) {
      metrics.count('reset', 'invalid');
      const form = { ...formOf(resetPath(secret), secret), errors: fieldErrors(parsed.error) };
      return visits.send(response, 422, resetPage(form), place);
    }
    const account = await accounts.reset(secret, parsed.data.password);
    if (!account) return visits.sendLost(response, place);
    endSessions(account.id);
    metrics.count('reset', 'accepted');
    return sendDone(response, 'Your password is changed', 'You are signed out everywhere.', place);
  });
  return router;
}
