import { randomBytes, randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { readVisitor, type Visitor } from '../session/visitor.ts';
import type { ShellDeps, ShellOptions } from './deps.ts';

/** What every handler knows of its request. */
export interface RequestInfo {
  readonly requestId: string;
  readonly nonce: string;
  readonly visitor: Visitor;
  /** Aborted when the visitor leaves before the answer is out. */
  readonly signal: AbortSignal;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;
const infos = new WeakMap<Request, RequestInfo>();

/** First in line: names the request, knows the visitor, notices when nobody waits any more. */
export const withRequestInfo =
  (deps: Pick<ShellDeps, 'clock'>, options: ShellOptions): RequestHandler =>
  (request, response, next) => {
    const given = request.headers['x-request-id'];
    const controller = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    let visitor: Visitor | undefined;
    const info: RequestInfo = {
      requestId: typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
      nonce: randomBytes(16).toString('base64'),
      // Read when it is asked for: files are for everybody.
      get visitor() {
        visitor ??= readVisitor(request, options, deps.clock());
        return visitor;
      },
      signal: controller.signal,
    };
    infos.set(request, info);
    response.setHeader('X-Request-Id', info.requestId);
    next();
  };

/** The request's info; only for handlers behind `withRequestInfo`. */
export function infoOf(request: Request): RequestInfo {
  const info = infos.get(request);
  if (!info) throw new Error('withRequestInfo must come first');
  return info;
}

/** Origin under which the visitor sees the page. */
export const originOf = (request: Request): string =>
  `${request.protocol}://${request.headers.host ?? 'localhost'}`;

export type { Request, Response };
