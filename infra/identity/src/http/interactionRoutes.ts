import { Router, urlencoded, type Request, type RequestHandler, type Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { z } from 'zod';
import type { Account } from '../accounts/accountStore.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { fieldErrors, signInSchema, signUpSchema } from '../accounts/forms.ts';
import { isLostVisit } from '../oidc/provider.ts';
import { signInPage, signUpPage, type CredentialForm } from '../pages/credentialPages.ts';
import { messagePage, renderPage, type Page, type Site } from '../pages/layout.ts';
import { csrfToken, isCsrfToken, isOwnOrigin } from './csrf.ts';
import type { Metrics } from './metrics.ts';
import { createRateLimits, type Limits } from './rateLimits.ts';

export interface InteractionDeps {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly site: Site;
  readonly metrics: Metrics;
  readonly csrfKey: string;
  readonly limits: Limits;
}

/** The same words for a wrong password and an unknown address. */
const SIGN_IN_REFUSED = 'The email address or the password is wrong. Check both and try again.';
/** Says neither that the address is taken nor that it is free. */
const signUpRefused = (base: string) =>
  `We could not create an account with these details. If you have signed up before, <a href="${base}/sign-in">sign in instead</a>; otherwise try another email address.`;
const LIMITED = 'Too many tries. Wait a few minutes and try again.';

const FORMS = { 'sign-in': signInPage, 'sign-up': signUpPage } as const;
type FormName = keyof typeof FORMS;

/** The sign-in and sign-up pages of a visit that the shop has sent here: `/interaction/{uid}`. */
export function interactionRoutes(deps: InteractionDeps): Router {
  const { provider, accounts, site, metrics, csrfKey } = deps;

  const send = (response: Response, status: number, page: Page) =>
    void response.status(status).type('html').send(renderPage(page, site));
  const formOf = (request: Request): CredentialForm => {
    const uid = String(request.params['uid']);
    return { base: `/interaction/${encodeURIComponent(uid)}`, csrf: csrfToken(csrfKey, uid) };
  };

  /** Only the browser that began the visit holds its cookie. */
  const begun: RequestHandler = async (request, response, next) => {
    const details = await provider.interactionDetails(request, response);
    if (details.uid === request.params['uid']) return next();
    return sendLost(response);
  };
  const sendLost = (response: Response) =>
    send(
      response,
      410,
      messagePage('This page is no longer valid', 'It was used already, or it is more than an hour old.', {
        href: `${site.origin}/account/sign-in`,
        label: 'Start again',
      }),
    );
  const genuine: RequestHandler = (request, response, next) => {
    const { csrf } = (request.body ?? {}) as { csrf?: unknown };
    if (isOwnOrigin(request, provider.issuer) && isCsrfToken(csrfKey, String(request.params['uid']), csrf))
      return next();
    return send(
      response,
      403,
      messagePage('This form could not be accepted', 'It did not come from our own page.', {
        href: formOf(request).base,
        label: 'Open the page again',
      }),
    );
  };

  const show =
    (name: FormName): RequestHandler =>
    (request, response) =>
      send(response, 200, FORMS[name](formOf(request)));

  const limited = (name: FormName) =>
    createRateLimits(deps.limits, (request, response) => {
      metrics.count(name, 'limited');
      const { email } = request.body as { email?: unknown };
      send(
        response,
        429,
        FORMS[name]({
          ...formOf(request),
          ...(typeof email === 'string' ? { typed: { email: email.slice(0, 254) } } : {}),
          alert: LIMITED,
        }),
      );
    });

  /** Takes a form in: errors at their fields, one refusal for whatever else is wrong, or on to the shop. */
  const take =
    <Form extends z.ZodType<{ email: string }>>(
      name: FormName,
      schema: Form,
      run: (form: z.output<Form>) => Promise<Account | undefined>,
      refusal: (base: string) => string,
    ): RequestHandler =>
    async (request, response) => {
      const body = request.body as Record<string, unknown>;
      const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 254) : '');
      const form = { ...formOf(request), typed: { email: text(body['email']), name: text(body['name']) } };
      const parsed = schema.safeParse({ name: '', email: '', password: '', ...body });
      if (!parsed.success) {
        metrics.count(name, 'invalid');
        return send(response, 422, FORMS[name]({ ...form, errors: fieldErrors(parsed.error) }));
      }
      const account = await run(parsed.data);
      if (!account) {
        metrics.count(name, 'refused');
        return send(response, 422, FORMS[name]({ ...form, alert: refusal(form.base) }));
      }
      metrics.count(name, 'accepted');
      const result = { login: { accountId: account.id, remember: true }, create: {} };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    };

  const router = Router();
  const body = urlencoded({ extended: false, limit: '8kb' });
  router.get('/interaction/:uid', begun, async (request, response) => {
    const { prompt } = await provider.interactionDetails(request, response);
    show(prompt.name === 'create' ? 'sign-up' : 'sign-in')(request, response, () => {});
  });
  router.get('/interaction/:uid/sign-in', begun, show('sign-in'));
  router.get('/interaction/:uid/sign-up', begun, show('sign-up'));
  router.post(
    '/interaction/:uid/sign-in',
    body,
    begun,
    genuine,
    ...limited('sign-in'),
    take(
      'sign-in',
      signInSchema,
      ({ email, password }) => accounts.signIn(email, password),
      () => SIGN_IN_REFUSED,
    ),
  );
  router.post(
    '/interaction/:uid/sign-up',
    body,
    begun,
    genuine,
    ...limited('sign-up'),
    take('sign-up', signUpSchema, accounts.signUp, signUpRefused),
  );
  router.post('/interaction/:uid/cancel', body, begun, genuine, (request, response) =>
    provider.interactionFinished(
      request,
      response,
      { error: 'access_denied', error_description: 'the visitor went on without signing in' },
      { mergeWithLastSubmission: false },
    ),
  );
  router.use('/interaction', ((
    error: unknown,
    _request: Request,
    response: Response,
    next: (error: unknown) => void,
  ) => (isLostVisit(error) ? sendLost(response) : next(error))) as never);
  return router;
}
