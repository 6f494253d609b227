import type { Request, RequestHandler } from 'express';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/shared-contracts/calls';
import { CallFailure } from '../gateway/callFailure.ts';
import type { ShellDeps } from './deps.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';
import { isSameOrigin } from './sameOrigin.ts';

/** A page of another origin can send neither this header nor JSON without asking first, and is never allowed. */
const CSRF_HEADER = 'x-requested-with';

/** A sending's own key, which the upstream knows again; what is none is not sent on. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{8,80}$/;
const idempotencyKeyOf = (request: Pick<Request, 'get'>): string | undefined =>
  IDEMPOTENCY_KEY.exec(request.get('idempotency-key') ?? '')?.[0];

/** Calls that search among listings say for which channel. */
const LISTING_PATH = /^\/rest\/lsc\/(listing|newcarboost)/;

/**
 * `GET|POST /cars-for-sale/api/call/{name}`: the calls of the table that a
 * browser may run, through the gateway. Bodies are checked by the call's schema.
 */
export const callApi =
  ({ gateway }: ShellDeps, signInPath: string): RequestHandler<{ name: string }> =>
  async (request, response) => {
    const { requestId, callContext, visitor } = infoOf(request as never);
    const name = request.params.name as CallName;
    const definition: CallDefinition | undefined = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
    if (!definition?.browser)
      return sendError(response, 404, 'NO_SUCH_CALL', 'there is no such call', requestId);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    // A browser does not know the table: it sends every write as a POST, the upstream gets the call's own method.
    const isAllowed = method === definition.method || (method === 'POST' && definition.method !== 'GET');
    if (!isAllowed) {
      response.set('Allow', definition.method);
      return sendError(response, 405, 'WRONG_METHOD', `${name} is a ${definition.method} call`, requestId);
    }
    // As they are: of a filter with several values each counts.
    const params = new URL(request.originalUrl, 'http://x').searchParams;
    // Of a campaign only the server knows (AMB-163, AMB-164).
    if (LISTING_PATH.test(definition.path))
      params.set('channel', visitor.channel ?? BRANDS[visitor.session.brand].channel);
    let body: unknown;
    if (definition.method !== 'GET') {
      if (request.headers[CSRF_HEADER] !== 'forecourt' || !isSameOrigin(request)) {
        return sendError(response, 403, 'CROSS_ORIGIN', 'writes come from this site only', requestId);
      }
      const parsed = definition.body?.safeParse(request.body);
      if (parsed && !parsed.success) {
        const first = parsed.error.issues[0];
        return sendError(
          response,
          400,
          'INVALID_BODY',
          `${first?.path.join('.')}: ${first?.message}`,
          requestId,
        );
      }
      body = parsed?.data;
    }
    // Crawlers have no history and no profile: nobody is asked for theirs (B6-ROLE-04). What somebody
    // writes is sent on whoever they look like.
    const isRead = definition.method === 'GET';
    if (
      isRead &&
      visitor.session.isBot &&
      definition.caller === 'visitor' &&
      definition.fallback.kind === 'empty'
    )
      return response.set('Cache-Control', 'private, no-cache').json(definition.fallback.value);
    // An account's own data need its visitor (B6-ROLE-03).
    if (definition.caller === 'account' && !(await callContext.idToken?.())) {
      const message = `sign in at ${signInPath}`;
      return sendError(response, 401, 'SIGN_IN_REQUIRED', message, requestId, { signInPath });
    }
    try {
      const idempotencyKey = isRead ? undefined : idempotencyKeyOf(request);
      const answer = await gateway.call(name, params, { ...callContext, body, idempotencyKey });
      return response.set('Cache-Control', 'private, no-cache').json(answer);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      return sendError(response, 502, error.code, 'the upstream gave no answer', requestId);
    }
  };
