import express, { Router, type RequestHandler, type Request, type Response } from 'express';
import { safeReturnUrl } from '../../../server/accounts/returnUrl.ts';
import { messagePage, type MessagePage } from '../../../server/compose/errorPage.ts';
import { contextOf, originOf } from '../../../server/http/requestContext.ts';
import { sendError, limitWrites, isSameOrigin } from '../../../server/http/responses.ts';
import { isAllowedOrigin, askedOverride, readFields, type OverrideFields } from './requestedOverride.ts';
import {
  MAX_OVERRIDES,
  overridesCookie,
  hostOf,
  readOverrides,
  type ActiveOverride,
} from './activeOverrides.ts';
import { confirmPage, overridePageCss, overridesPage, refusedPage } from './views.ts';
import { TokenError, type OverrideTokens } from './token.ts';
import type { overrideSchema } from '@forecourt/shared-contracts/slots/override';

/** Of one client a minute: far above what a person sends. */
const PER_MINUTE = 60;

export interface OverrideRoutesParts {
  readonly tokens: OverrideTokens;
  readonly origins: readonly string[];
  readonly isLocal: boolean;
  readonly css: string;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: (event: {
    event: string;
    requestId: string;
    override?: ReturnType<typeof overrideSchema.parse>;
    by?: string;
    reason?: string;
  }) => void;
  /** More routes for testers. */
  readonly tools: readonly Router[];
}

/**
 * Setting and ending overrides. A link only asks; the cookie is set by a POST
 * of this site's own page. Outside local mode nobody begins without a token
 * that was signed elsewhere, and nobody makes one last longer.
 */
export function overrideRoutes(parts: OverrideRoutesParts): Router {
  const { tokens, origins, isLocal, now, log } = parts;

  const send = (request: Request, response: Response, status: number, page: MessagePage) => {
    const { visitor, nonce } = contextOf(request);
    response
      .status(status)
      .type('html')
      .send(messagePage(page, visitor.session, `${parts.css}\n${overridePageCss}`, nonce));
  };
  const active = (request: Request) => readOverrides(request, { tokens, origins });
  const seconds = () => Math.floor(now() / 1000);

  function keep(request: Request, response: Response, overrides: readonly ActiveOverride[]): void {
    const last = Math.max(0, ...overrides.map(({ claims }) => claims.exp));
    const cookie = overridesCookie(
      request,
      overrides.map(({ token }) => token),
      Math.max(1, last - seconds()),
    );
    response.append('Set-Cookie', cookie);
  }

  /** The signed override of a form or link: the token it brings, or one made for whoever may. */
  async function overrideOf(
    request: Request,
    fields: OverrideFields,
    current: readonly ActiveOverride[],
  ): Promise<ActiveOverride | { readonly refusal: string }> {
    if (fields.token !== undefined) {
      try {
        const claims = await tokens.read(fields.token, hostOf(request));
        if (claims.origin !== undefined && !isAllowedOrigin(claims.origin, origins))
          return {
            refusal: `Releases may not come from ${claims.origin}: it is not one of the allowed origins.`,
          };
        return { token: fields.token, claims };
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        return { refusal: `The link cannot be used: ${error.message}. Ask for a new one.` };
      }
    }
    const [granted] = [...current].sort((left, right) => right.claims.exp - left.claims.exp);
    if (!isLocal && !granted)
      return { refusal: 'A signed link is needed: npx forecourt override makes one.' };
    const asked = askedOverride(fields, origins);
    if ('refusal' in asked) return asked;
    const iat = seconds();
    const wished = iat + fields.minutes * 60;
    const claims = {
      ...asked.override,
      aud: hostOf(request),
      sub: granted?.claims.sub ?? 'somebody at this machine',
      iat,
      // Who was given an hour does not give themselves another.
      exp: isLocal || !granted ? wished : Math.min(wished, granted.claims.exp),
    };
    return { token: await tokens.sign(claims), claims };
  }

  const show: RequestHandler = async (request, response) => {
    const fields = readFields(request.query);
    const current = await active(request);
    const isAsked = fields.token !== undefined || fields.remote !== undefined;
    if (!isAsked && !isLocal && current.length === 0)
      return send(
        request,
        response,
        403,
        refusedPage('A signed link is needed: npx forecourt override makes one.'),
      );
    if (!isAsked)
      return send(
        request,
        response,
        200,
        overridesPage(
          current.map(({ claims }) => claims),
          {},
          origins,
        ),
      );
    const asked = await overrideOf(request, fields, current);
    if ('refusal' in asked) return send(request, response, 400, refusedPage(asked.refusal));
    const { remote, version, origin, minutes, token } = fields;
    const repeated = token === undefined ? { remote, version, origin, minutes: String(minutes) } : { token };
    const inputs = Object.fromEntries(
      Object.entries(repeated).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    return send(request, response, 200, confirmPage(asked.claims, inputs));
  };

  const set: RequestHandler = async (request, response) => {
    const fields = readFields(request.body);
    const current = await active(request);
    const asked = await overrideOf(request, fields, current);
    if ('refusal' in asked) return send(request, response, 400, refusedPage(asked.refusal));
    const { remote, version, origin, sub } = asked.claims;
    const others = current.filter(({ claims }) => claims.remote !== remote);
    keep(request, response, [...others.slice(0, MAX_OVERRIDES - 1), asked]);
    const { requestId } = contextOf(request);
    log({ event: 'override-set', requestId, override: { remote, version, origin }, by: sub });
    return response.redirect(303, safeReturnUrl(fields.returnTo, originOf(request)));
  };

  const end: RequestHandler = async (request, response) => {
    const fields = readFields(request.body);
    const current = await active(request);
    const rest = current.filter(
      ({ claims }) => fields.remote !== undefined && claims.remote !== fields.remote,
    );
    keep(request, response, rest);
    log({ event: 'override-ended', requestId: contextOf(request).requestId });
    return response.redirect(303, safeReturnUrl(fields.returnTo, originOf(request)));
  };

  const router = Router();
  router.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    next();
  });
  router.use(limitWrites(PER_MINUTE));
  // Browsers name the origin of every write; what names none is no form of ours.
  router.use((request, response, next) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
    if (!isWrite || (request.headers.origin !== undefined && isSameOrigin(request))) return next();
    return sendError(
      response,
      403,
      'CROSS_ORIGIN',
      'writes come from this site only',
      contextOf(request).requestId,
    );
  });
  const form = express.urlencoded({ extended: false, limit: '8kb' });
  router.get('/', show);
  router.post('/', form, set);
  router.post('/end', form, end);
  router.use(...parts.tools);
  return router;
}
