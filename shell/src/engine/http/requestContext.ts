import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { ContentPolicy } from './contentPolicy.ts';
import type { CallContext } from '../gateway/gateway.ts';
import type { Visitor, Visitors } from './visitor.ts';

/** Per-request context for handlers. */
export interface RequestContext {
  readonly requestId: string;
  readonly policy: ContentPolicy;
  /** From cookies and headers alone until `resolveVisitor` has run. */
  readonly visitor: Visitor;
  /** Aborted when the client disconnects before the response ends. */
  readonly signal: AbortSignal;
  /** No session cookie: the response may be shared with other such visitors. */
  readonly isAnonymous: boolean;
  /** For calls on the visitor's behalf. The id token is fetched once, and only for calls that need it. */
  readonly callContext: CallContext;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
const CONTEXT = Symbol('request context');
type WithContext = IncomingMessage & { [CONTEXT]?: LazyRequestContext };

class LazyRequestContext implements RequestContext {
  readonly requestId: string;
  readonly policy: ContentPolicy;
  readonly signal: AbortSignal;
  readonly #readVisitor: () => Visitor;
  readonly #isSessionPresent: () => boolean;
  readonly #fetchIdToken: () => Promise<string | undefined>;
  #visitor: Visitor | undefined;
  #idToken: Promise<string | undefined> | undefined;

  constructor(
    request: Request,
    response: Response,
    parts: {
      readonly visitors: Visitors;
      readonly readVisitor: () => Visitor;
      readonly policy: ContentPolicy;
    },
  ) {
    const header = request.headers['x-request-id'];
    this.requestId = typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
    const controller = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    this.signal = controller.signal;
    this.policy = parts.policy;
    this.#readVisitor = parts.readVisitor;
    this.#isSessionPresent = () => parts.visitors.hasSession(request);
    this.#fetchIdToken = () => parts.visitors.idToken(request, response);
  }

  /** Read on first use: requests for static files never need it. */
  get visitor(): Visitor {
    return (this.#visitor ??= this.#readVisitor());
  }

  set visitor(resolved: Visitor) {
    this.#visitor = resolved;
  }

  get isAnonymous(): boolean {
    return !this.visitor.isSignedIn && !this.#isSessionPresent();
  }

  get callContext(): CallContext {
    return {
      requestId: this.requestId,
      signal: this.signal,
      consumerId: this.visitor.consumerId,
      idToken: () => (this.#idToken ??= this.#fetchIdToken()),
    };
  }
}

/** The first middleware: creates the request's context. */
export const createRequestContext =
  ({
    clock,
    visitors,
    policy,
  }: {
    readonly clock: () => Date;
    readonly visitors: Visitors;
    readonly policy: ContentPolicy;
  }): RequestHandler =>
  (request, response, next) => {
    const context = new LazyRequestContext(request, response, {
      visitors,
      policy,
      readVisitor: () => visitors.read(request, clock()),
    });
    (request as WithContext)[CONTEXT] = context;
    response.setHeader('X-Request-Id', context.requestId);
    next();
  };

function ownContextOf(request: IncomingMessage): LazyRequestContext {
  const context = (request as WithContext)[CONTEXT];
  if (!context) throw new Error('createRequestContext must be the first middleware');
  return context;
}

/** The request's context; requires `createRequestContext`. */
export const contextOf = (request: IncomingMessage): RequestContext => ownContextOf(request);

/** Adds what needs a lookup to the visitor, for responses that are not shared. */
export const resolveVisitor =
  (visitors: Visitors): RequestHandler =>
  async (request, response, next) => {
    const context = ownContextOf(request);
    context.visitor = await visitors.resolve(context.visitor, request, response);
    next();
  };

/** Origin under which the visitor sees the page; localhost if the Host header is invalid. */
export const originOf = (request: Request): string =>
  URL.parse(`${request.protocol}://${request.headers.host ?? ''}`)?.origin ?? 'http://localhost';

/** Path and query of the same-origin page that linked here. */
export function referrerOf(request: Request): string | null {
  const { referer = '' } = request.headers;
  if (referer.length > 2000 || !URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  return origin === originOf(request) && !pathname.startsWith('//') ? pathname + search : null;
}
