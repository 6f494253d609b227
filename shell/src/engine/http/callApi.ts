import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { browserCallsBySlot } from '../layout/permissions.ts';
import { contextOf } from './requestContext.ts';
import { isSameOrigin, sendError } from './responses.ts';
import type { Site } from '../site.ts';
import { SLOT_HEADER } from '../universal/paths.ts';
import { CallFailure } from '../gateway/callFailure.ts';
import type { CallName } from '@forecourt/slots/calls';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import type { Gateway } from '../gateway/gateway.ts';

/** Cross-origin pages cannot send this header without a CORS preflight, which the shell does not support. */
const CSRF_HEADER = 'x-requested-with';

/** Invalid keys are not forwarded. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{8,80}$/;

type CallRequest = Request<{ name: string }>;

type CalledSite = Pick<Site, 'calls' | 'layouts' | 'permissions' | 'browserCalls'>;

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const definitionOf = (calls: Site['calls'], name: string): CallDefinition | undefined => {
  const definition = Object.hasOwn(calls, name) ? calls[name] : undefined;
  return definition?.browser ? definition : undefined;
};

/** Browsers send every write as a POST; the upstream gets the call's own method. */
const isMethodAllowed = (method: string, definition: CallDefinition): boolean =>
  (method === 'HEAD' ? 'GET' : method) === definition.method ||
  (method === 'POST' && definition.method !== 'GET');

/**
 * Why the layout does not let the slot that the request names make the call. Slots of one page can pretend to be each
 * other, so this catches mistakes. A request without a slot is from a page that is older than this check, or from a tool.
 */
function slotRefusal(
  request: CallRequest,
  name: string,
  allowedCalls: ReturnType<typeof browserCallsBySlot>,
): Refusal | undefined {
  const slot = request.get(SLOT_HEADER);
  if (slot === undefined || allowedCalls.get(slot)?.has(name)) return undefined;
  const message = `the layout does not let slot ${slot.slice(0, 60)} call ${name} from the browser`;
  return { status: 403, code: 'CALL_NOT_ALLOWED', message };
}

/** The request's query, with repeated values, and what only the server knows. */
function paramsOf(request: CallRequest, definition: CallDefinition, site: CalledSite): URLSearchParams {
  const params = new URL(request.originalUrl, 'http://x').searchParams;
  for (const [name, value] of Object.entries(site.browserCalls.addParams(definition, request)))
    params.set(name, value);
  return params;
}

/** The body of a write, after checking origin and schema. */
function readBody(request: CallRequest, definition: CallDefinition): { readonly body?: unknown } | Refusal {
  if (definition.method === 'GET') return {};
  if (request.headers[CSRF_HEADER] !== 'forecourt' || !isSameOrigin(request))
    return { status: 403, code: 'CROSS_ORIGIN', message: 'writes must come from a page of this site' };
  const parsed = definition.body?.safeParse(request.body);
  if (!parsed || parsed.success) return { body: parsed?.data };
  const [issue] = parsed.error.issues;
  return { status: 400, code: 'INVALID_BODY', message: `${issue?.path.join('.')}: ${issue?.message}` };
}

const sendData = (response: Response, data: unknown) =>
  response.set('Cache-Control', 'private, no-cache').json(data);

/**
 * `GET|POST {root}/api/call/{name}`: runs the calls of the table that
 * browsers may use, through the gateway.
 */
export function callApi({
  site,
  gateway,
  logger,
}: {
  readonly site: CalledSite;
  readonly gateway: Pick<Gateway, 'call'>;
  readonly logger: Pick<Logger, 'warn'>;
}): RequestHandler<{ name: string }> {
  const allowedCalls = browserCallsBySlot(site);
  return async (request, response) => {
    const { callContext, requestId, visitor } = contextOf(request);
    const { signInPath } = site.browserCalls;
    const refuse = ({ status, code, message }: Refusal, details = {}) =>
      sendError(response, status, code, message, details);
    const name = request.params.name as CallName;
    const definition = definitionOf(site.calls, name);
    if (!definition) return refuse({ status: 404, code: 'NO_SUCH_CALL', message: 'no such call' });
    if (!isMethodAllowed(request.method, definition)) {
      response.set('Allow', definition.method);
      const message = `${name} is a ${definition.method} call`;
      return refuse({ status: 405, code: 'WRONG_METHOD', message });
    }
    const refusal = slotRefusal(request, name, allowedCalls);
    if (refusal) {
      logger.warn({ requestId, code: refusal.code, call: name }, refusal.message);
      return refuse(refusal);
    }
    const write = readBody(request, definition);
    if ('code' in write) return refuse(write);
    // Crawlers have no history or profile, so reads about the visitor are not forwarded.
    const isRead = definition.method === 'GET';
    const isVisitorRead = isRead && definition.caller === 'visitor';
    if (visitor.isBot && isVisitorRead && definition.fallback.kind === 'empty')
      return sendData(response, definition.fallback.value);
    // Account data requires a signed-in visitor.
    if (definition.caller === 'account' && !(await callContext.idToken?.()))
      return refuse(
        { status: 401, code: 'SIGN_IN_REQUIRED', message: `sign in at ${signInPath}` },
        { signInPath },
      );
    try {
      const key = IDEMPOTENCY_KEY.exec(request.get('idempotency-key') ?? '')?.[0];
      const params = paramsOf(request, definition, site);
      const context = { ...callContext, body: write.body, idempotencyKey: isRead ? undefined : key };
      return sendData(response, await gateway.call(name, params, context));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      return refuse({ status: 502, code: error.code, message: 'the upstream call failed' });
    }
  };
}
