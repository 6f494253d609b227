import express, { Router, type RequestHandler, type Request, type Response } from 'express';
import { returnUrlWithin } from '../../http/returnUrl.ts';
import type { MessagePage, Messages } from '../../http/messagePage.ts';
import { contextOf, originOf } from '../../http/requestContext.ts';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { limitWrites } from '../../http/clientLimits.ts';
import { sendError, isSameOrigin } from '../../http/responses.ts';
import {
  isAllowedOrigin,
  requestedOverride,
  readFields,
  type OverrideFields,
  fitsCookie,
  audienceOf,
  overridesCookie,
  readOverrides,
  splitTokens,
  type ActiveOverride,
  TokenError,
  type OverrideTokens,
} from './overrideTokens.ts';
import { confirmPage, overridePageCss, overridesPage, refusedPage } from './views.ts';
import type { overrideSchema } from '@forecourt/releases/override';

export interface OverrideRoutesParts {
  readonly tokens: OverrideTokens;
  readonly origins: readonly string[];
  readonly isLocal: boolean;
  readonly css: string;
  readonly messages: Pick<Messages, 'send'>;
  /** Where a form without a usable return URL leads. */
  readonly homePath: string;
  readonly limits: RateLimits;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: (event: {
    event: string;
    requestId: string;
    override?: Override;
    by?: string;
    reason?: string;
  }) => void;
  /** Further routes for testers. */
  readonly tools: readonly Router[];
}

const SIGNED_LINK_REQUIRED = 'A signed link is needed: npx forecourt override makes one.';

type Override = ReturnType<typeof overrideSchema.parse>;

const isSameRelease = (left: Override, right: Override) =>
  left.remote === right.remote && left.version === right.version && left.origin === right.origin;

type Refused = { readonly refusal: string };

/** Handlers that show, set and end overrides. */
class OverrideHandlers {
  readonly #parts: OverrideRoutesParts;

  constructor(parts: OverrideRoutesParts) {
    this.#parts = parts;
  }

  #send(response: Response, status: number, page: MessagePage): void {
    this.#parts.messages.send(response, page, { css: `${this.#parts.css}\n${overridePageCss}`, status });
  }

  #returnUrl(raw: unknown, request: Request): string {
    return returnUrlWithin(raw, originOf(request)) ?? this.#parts.homePath;
  }

  #nowSeconds(): number {
    return Math.floor(this.#parts.now() / 1000);
  }

  #setCookie(request: Request, response: Response, overrides: readonly ActiveOverride[]): void {
    const last = Math.max(0, ...overrides.map(({ claims }) => claims.exp));
    const tokens = overrides.map(({ token }) => token);
    response.append('Set-Cookie', overridesCookie(request, tokens, Math.max(1, last - this.#nowSeconds())));
  }

  /** The override of a token that was signed elsewhere. */
  async #signedOverride(request: Request, token: string): Promise<ActiveOverride | Refused> {
    const { tokens, origins } = this.#parts;
    try {
      const claims = await tokens.read(token, audienceOf(request));
      if (claims.origin === undefined || isAllowedOrigin(claims.origin, origins)) return { token, claims };
      return {
        refusal: `Releases may not come from ${claims.origin}: it is not one of the allowed origins.`,
      };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return { refusal: `The link cannot be used: ${error.message}. Ask for a new one.` };
    }
  }

  /** The overrides of a link's tokens: all of them, or none. */
  async #signedOverrides(request: Request, text: string): Promise<readonly ActiveOverride[] | Refused> {
    const set: ActiveOverride[] = [];
    const linked = splitTokens(text);
    if (!fitsCookie(linked))
      return { refusal: `The link sets ${linked.length} releases, more than a cookie holds. Set fewer.` };
    for (const token of linked) {
      const override = await this.#signedOverride(request, token);
      if ('refusal' in override) return override;
      set.push(override);
    }
    const remotes = new Set(set.map(({ claims }) => claims.remote));
    return remotes.size < set.length ? { refusal: 'The link names two releases of one remote.' } : set;
  }

  /** What a form or link requests: the overrides of its tokens, or a new one for visitors who may sign their own. */
  async #overridesOf(
    request: Request,
    fields: OverrideFields,
    current: readonly ActiveOverride[],
  ): Promise<readonly ActiveOverride[] | Refused> {
    if (fields.token !== undefined) return this.#signedOverrides(request, fields.token);
    const override = await this.#ownOverride(request, fields, current);
    return 'refusal' in override ? override : [override];
  }

  async #ownOverride(
    request: Request,
    fields: OverrideFields,
    current: readonly ActiveOverride[],
  ): Promise<ActiveOverride | Refused> {
    const { tokens, origins, isLocal } = this.#parts;
    if (!isLocal && current.length === 0) return { refusal: SIGNED_LINK_REQUIRED };
    const requested = requestedOverride(fields, origins);
    if ('refusal' in requested) return requested;
    // A token grants the release that it names, and no other.
    const grant = current.find(({ claims }) => isSameRelease(claims, requested.override));
    if (!isLocal && !grant) return { refusal: SIGNED_LINK_REQUIRED };
    const iat = this.#nowSeconds();
    const exp = iat + fields.minutes * 60;
    const claims = {
      ...requested.override,
      aud: audienceOf(request),
      sub: grant?.claims.sub ?? 'someone on this machine',
      iat,
      // Testers cannot extend their own grant.
      exp: isLocal || !grant ? exp : Math.min(exp, grant.claims.exp),
    };
    return { token: await tokens.sign(claims), claims };
  }

  readonly show: RequestHandler = async (request, response) => {
    const { origins, isLocal } = this.#parts;
    const fields = readFields(request.query);
    const current = await readOverrides(request, this.#parts);
    if (fields.token === undefined && fields.remote === undefined) {
      if (!isLocal && current.length === 0)
        return this.#send(response, 403, refusedPage(SIGNED_LINK_REQUIRED, this.#parts.homePath));
      const claims = current.map((override) => override.claims);
      return this.#send(response, 200, overridesPage(claims, { origins, isLocal }));
    }
    const set = await this.#overridesOf(request, fields, current);
    if ('refusal' in set) return this.#send(response, 400, refusedPage(set.refusal, this.#parts.homePath));
    const { remote, version, origin, minutes, token } = fields;
    const values = token === undefined ? { remote, version, origin, minutes: String(minutes) } : { token };
    const inputs = Object.fromEntries(
      Object.entries(values).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const claims = set.map((override) => override.claims);
    return this.#send(response, 200, confirmPage(claims, inputs));
  };

  readonly set: RequestHandler = async (request, response) => {
    const fields = readFields(request.body);
    const current = await readOverrides(request, this.#parts);
    const set = await this.#overridesOf(request, fields, current);
    if ('refusal' in set) return this.#send(response, 400, refusedPage(set.refusal, this.#parts.homePath));
    const remotes = new Set(set.map(({ claims }) => claims.remote));
    const others = current.filter(({ claims }) => !remotes.has(claims.remote));
    while (!fitsCookie([...others, ...set].map(({ token }) => token))) others.shift();
    this.#setCookie(request, response, [...others, ...set]);
    const { requestId } = contextOf(request);
    for (const { claims } of set) {
      const { remote, version, origin, sub } = claims;
      this.#parts.log({ event: 'override-set', requestId, override: { remote, version, origin }, by: sub });
    }
    return response.redirect(303, this.#returnUrl(fields.returnTo, request));
  };

  readonly end: RequestHandler = async (request, response) => {
    const { remote, returnTo } = readFields(request.body);
    const current = await readOverrides(request, this.#parts);
    const rest = current.filter(({ claims }) => remote !== undefined && claims.remote !== remote);
    this.#setCookie(request, response, rest);
    this.#parts.log({ event: 'override-ended', requestId: contextOf(request).requestId });
    return response.redirect(303, this.#returnUrl(returnTo, request));
  };
}

/** Browsers send `Origin` with every write; a write without it does not come from a form of this site. */
const requireSameOrigin: RequestHandler = (request, response, next) => {
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
  if (!isWrite || (request.headers.origin !== undefined && isSameOrigin(request))) return next();
  return sendError(response, 403, 'CROSS_ORIGIN', 'writes must come from a page of this site');
};

/**
 * Sets and ends overrides. A link only shows a confirmation page; the cookie is set
 * by a POST from this site. Outside local mode each override requires a token signed
 * for it, and cannot be extended.
 */
export function overrideRoutes(parts: OverrideRoutesParts): Router {
  const handlers = new OverrideHandlers(parts);
  const form = express.urlencoded({ extended: false, limit: '8kb' });
  const router = Router();
  router.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    next();
  });
  router.use(limitWrites(parts.limits, 'overrides'));
  router.use(requireSameOrigin);
  router.get('/', handlers.show);
  router.post('/', form, handlers.set);
  router.post('/end', form, handlers.end);
  router.use(...parts.tools);
  return router;
}
