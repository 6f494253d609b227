import { randomBytes, randomUUID } from 'node:crypto';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import type { Request, RequestHandler, Response } from 'express';
import type { CallContext } from '../gateway/gateway.ts';
import { flagOverrides, readVisitor, withFlags, type Visitor } from '../session/visitor.ts';
import { noSessions, type VisitorSessions } from '../session/visitorSession.ts';
import type { ShellDeps, ShellOptions } from './deps.ts';

/** What every handler knows of its request. */
export interface RequestInfo {
  readonly requestId: string;
  readonly nonce: string;
  readonly visitor: Visitor;
  /** Aborted when the visitor leaves before the answer is out. */
  readonly signal: AbortSignal;
  /** Anonymous, without as much as an old session: what such visitors get may be the same for all of them. */
  readonly isAnonymous: boolean;
  /** For calls in this visitor's name. The id token is asked for once, and only by calls that need it. */
  readonly callContext: CallContext;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
const infos = new WeakMap<Request, RequestInfo & { visitor: Visitor }>();

/** First in line: names the request, knows the visitor, notices when nobody waits any more. */
export const withRequestInfo =
  (
    { clock, sessions = noSessions }: Pick<ShellDeps, 'clock' | 'sessions'>,
    options: ShellOptions,
  ): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const controller = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    let visitor: Visitor | undefined;
    let idToken: Promise<string | undefined> | undefined;
    // Read when it is asked for: files are for everybody.
    const known = (): Visitor => (visitor ??= readVisitor(request, options, clock()));
    infos.set(request, {
      requestId,
      nonce: randomBytes(16).toString('base64'),
      get visitor() {
        return known();
      },
      set visitor(changed) {
        visitor = changed;
      },
      signal: controller.signal,
      get isAnonymous() {
        return !known().session.signedIn && !sessions.isPresent(request);
      },
      get callContext() {
        const { id, pixallId } = known();
        return {
          requestId,
          signal: controller.signal,
          consumerId: pixallId ?? id,
          idToken: () => (idToken ??= sessions.idToken(request, response)),
        };
      },
    });
    response.setHeader('X-Request-Id', requestId);
    next();
  };

/** The visitor with what the page says about the account. A session that has ended makes nobody signed in. */
async function withAccount(
  visitor: Visitor,
  sessions: VisitorSessions,
  request: Request,
  response: Response,
): Promise<Visitor> {
  if (!sessions.isPresent(request)) return visitor;
  const account = await sessions.account(request, response);
  return {
    ...visitor,
    session: { ...visitor.session, signedIn: account !== undefined, account: account ?? null },
  };
}

/** Asks for the visitor's flags; until then they are the defaults. Only for what is made for a visitor. */
export const withVisitorFlags =
  (
    { flags, sessions = noSessions }: Pick<ShellDeps, 'flags' | 'sessions'>,
    options: ShellOptions,
  ): RequestHandler =>
  async (request, response, next) => {
    const info = infos.get(request);
    if (info) {
      const visitor = await withAccount(info.visitor, sessions, request, response);
      const { brand, signedIn, isBot } = visitor.session;
      const said = await flags?.flagsFor({ brand, signedIn, isBot, visitorId: visitor.id });
      info.visitor = withFlags(visitor, said ?? FLAGS, flagOverrides(request, options));
    }
    next();
  };

/** The request's info; only for handlers behind `withRequestInfo`. */
export function infoOf(request: Request): RequestInfo {
  const info = infos.get(request);
  if (!info) throw new Error('withRequestInfo must come first');
  return info;
}

/** Origin under which the visitor sees the page; that of one's own machine for a Host that is none. */
export function originOf(request: Request): string {
  const origin = `${request.protocol}://${request.headers.host ?? ''}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
}

export type { Request, Response };
