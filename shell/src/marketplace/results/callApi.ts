import type { Request, RequestHandler, Response } from 'express';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { CALLS, type CallDefinition, type CallName } from '@forecourt/shared-contracts/calls';
import { SLOT_HEADER } from '../../engine/universal/paths.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import { isSameOrigin, sendError } from '../../engine/http/responses.ts';
import { browserCallsOf } from '../permissions.ts';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { type Visitor, campaignChannelOf } from '../visitor/visitor.ts';
import type { Logger } from 'pino';
import { normalizeUrl } from '@forecourt/shared-contracts/url';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { z } from 'zod';
import { loadAccountState } from '../saved/savedState.ts';
import { loadAdjustedSearch } from './adjustSearch.ts';
import { loadMore } from './loadSearch.ts';
import { type SearchLoader, type SearchRequest, PageStatusError } from './searchRequest.ts';

/** Cross-origin pages cannot send this header without a CORS preflight, which the shell does not support. */
const CSRF_HEADER = 'x-requested-with';

/** Invalid keys are not forwarded. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{8,80}$/;

/** Calls that search listings have a `channel` parameter. */
const LISTING_PATH = /^\/rest\/lsc\/(listing|newcarboost)/;

type CallRequest = Request<{ name: string }>;

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const definitionOf = (name: string): CallDefinition | undefined => {
  const definition = Object.hasOwn(CALLS, name) ? CALLS[name as CallName] : undefined;
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
function slotRefusal(request: CallRequest, name: CallName): Refusal | undefined {
  const slot = request.get(SLOT_HEADER);
  if (slot === undefined || browserCallsOf(slot).includes(name)) return undefined;
  const message = `the layout does not let slot ${slot.slice(0, 60)} call ${name} from the browser`;
  return { status: 403, code: 'CALL_NOT_ALLOWED', message };
}

/** The request's query, with repeated values, and the campaign's channel, which only the server knows (AMB-163). */
function paramsOf({ originalUrl }: CallRequest, definition: CallDefinition, { channel, session }: Visitor) {
  const params = new URL(originalUrl, 'http://x').searchParams;
  if (LISTING_PATH.test(definition.path)) params.set('channel', channel ?? BRANDS[session.brand].channel);
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
 * `GET|POST /cars-for-sale/api/call/{name}`: runs the calls of the table that
 * browsers may use, through the gateway.
 */
export const callApi =
  (
    { gateway, logger }: { readonly gateway: Gateway; readonly logger: Pick<Logger, 'warn'> },
    signInPath: string,
  ): RequestHandler<{ name: string }> =>
  async (request, response) => {
    const { callContext, requestId, visitor } = contextOf(request);
    const refuse = ({ status, code, message }: Refusal, details = {}) =>
      sendError(response, status, code, message, details);
    const name = request.params.name as CallName;
    const definition = definitionOf(name);
    if (!definition) return refuse({ status: 404, code: 'NO_SUCH_CALL', message: 'no such call' });
    if (!isMethodAllowed(request.method, definition)) {
      response.set('Allow', definition.method);
      const message = `${name} is a ${definition.method} call`;
      return refuse({ status: 405, code: 'WRONG_METHOD', message });
    }
    const refusal = slotRefusal(request, name);
    if (refusal) {
      logger.warn({ requestId, code: refusal.code, call: name }, refusal.message);
      return refuse(refusal);
    }
    const write = readBody(request, definition);
    if ('code' in write) return refuse(write);
    // Crawlers have no history or profile, so reads about the visitor are not forwarded (B6-ROLE-04).
    const isRead = definition.method === 'GET';
    const isVisitorRead = isRead && definition.caller === 'visitor';
    if (visitor.session.isBot && isVisitorRead && definition.fallback.kind === 'empty')
      return sendData(response, definition.fallback.value);
    // Account data requires a signed-in visitor (B6-ROLE-03).
    if (definition.caller === 'account' && !(await callContext.idToken?.()))
      return refuse(
        { status: 401, code: 'SIGN_IN_REQUIRED', message: `sign in at ${signInPath}` },
        { signInPath },
      );
    try {
      const key = IDEMPOTENCY_KEY.exec(request.get('idempotency-key') ?? '')?.[0];
      const params = paramsOf(request, definition, visitor);
      const context = { ...callContext, body: write.body, idempotencyKey: isRead ? undefined : key };
      return sendData(response, await gateway.call(name, params, context));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      return refuse({ status: 502, code: error.code, message: 'the upstream call failed' });
    }
  };

const querySchema = z.object({ url: z.string().max(8000).startsWith('/cars-for-sale') });

/** Both search calls of the browser: URL in, JSON out, failures by code. */
function searchHandler(
  { gateway, reference }: SearchLoader,
  load: (request: SearchRequest, canonicalUrl: string) => Promise<object>,
): RequestHandler {
  return async (request: Request, response: Response) => {
    const { visitor, callContext } = contextOf(request);
    const { session } = visitor;
    const query = querySchema.safeParse(request.query);
    if (!query.success)
      return sendError(response, 400, 'INVALID_PARAMETERS', 'url is missing or not a search');
    const normalized = normalizeUrl(query.data.url, reference.current(), { brand: session.brand });
    if (normalized.kind === 'notFound' && normalized.reason === 'referenceMissing')
      return sendError(response, 502, 'UNREACHABLE', 'the search is not available');
    if (normalized.kind === 'notFound') return sendError(response, 404, 'NOT_FOUND', 'no such make or model');
    const criteria: SearchCriteria = normalized.criteria;
    try {
      const body = await load(
        {
          criteria,
          session,
          channel: campaignChannelOf(criteria) ?? visitor.channel,
          pixallId: visitor.pixallId,
          account: loadAccountState(gateway, session, callContext),
          context: callContext,
        },
        normalized.canonicalUrl,
      );
      return response.set('Cache-Control', 'private, no-cache').json(body);
    } catch (error) {
      if (error instanceof PageStatusError)
        return sendError(response, error.status, 'PAGE_STATUS', error.message);
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      return error.upstreamCode === 'INVALID_PARAMETERS'
        ? sendError(response, 400, 'INVALID_PARAMETERS', error.message)
        : sendError(response, 502, error.code, 'the search is not available');
    }
  };
}

/** `GET /cars-for-sale/api/search?url=…` → `{kind: 'page', page, url}`: the content of that URL's page. */
export const searchApi = (loader: SearchLoader): RequestHandler =>
  searchHandler(loader, async (request, url) => ({
    kind: 'page',
    page: await loadAdjustedSearch(loader, request),
    url,
  }));

/** `GET /cars-for-sale/api/search/more?url=…` → `{page}`: the listings at the URL's firstRecord. */
export const searchMoreApi = (loader: SearchLoader): RequestHandler =>
  searchHandler(loader, async (request) => ({ page: await loadMore(loader, request) }));
