import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Router, type RequestHandler } from 'express';
import { isbot } from 'isbot';
import { createEngine, type EngineAdapters, type EngineParts, type SiteRoutes } from '../createEngine.ts';
import type { EngineConfig } from '../config.ts';
import { CallFailure } from '../gateway/callFailure.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { contextOf } from '../http/requestContext.ts';
import type { Visitor, Visitors } from '../http/visitor.ts';
import type { PageKind } from '../pages/pageKind.ts';
import { slotPage } from '../pages/slotPage.ts';
import type { PageState } from '../pageState.ts';
import type { Site } from '../site.ts';
import { type AppRig, type AppRigOptions, startAppRig } from './appRig.ts';
import { asLibraryGateway, LIBRARY_CALLS, type LibraryCall } from './libraryCalls.ts';
import { LIBRARY_PLAN, readLibraryConfig } from './libraryPlan.ts';
import { asPageState, buildLibraryState, type LibraryState } from './libraryState.ts';

export type LibraryRig = AppRig<LibraryCall>;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1];

/** A visitor with the cookie `card={name}` is the reader of this name. */
export const libraryVisitors: Visitors = {
  read(request): Visitor {
    const sid = cookieOf(request, 'sid') ?? '';
    const id = UUID.test(sid) ? sid : randomUUID();
    const reader = cookieOf(request, 'card') ?? null;
    const { session } = buildLibraryState({
      session: {
        isSignedIn: reader !== null,
        reader,
        email: reader && `${reader.toLowerCase()}@example.com`,
      },
    });
    return {
      id,
      session: session as unknown as PageState['session'],
      isBot: isbot(request.headers['user-agent']),
      isSignedIn: reader !== null,
      accountKey: reader ?? undefined,
      consumerId: id,
    };
  },
  resolve: (visitor) => Promise.resolve(visitor),
  hasSession: (request) => cookieOf(request, 'card') !== undefined,
  idToken: (request) => Promise.resolve(cookieOf(request, 'card')),
};

const sessionOf = ({ session }: Visitor) => session as unknown as LibraryState['session'];

const pass: RequestHandler = (_request, _response, next) => next();

const librarySite = (changes: Partial<Site>): Site => ({
  ...LIBRARY_PLAN,
  visitors: libraryVisitors,
  emptyState: (page, visitor) =>
    asPageState(buildLibraryState({ page: page as LibraryState['page'], session: sessionOf(visitor) })),
  browserCalls: { signInPath: '/sign-in', addParams: () => ({}), limit: pass },
  pageEvents: { fields: {}, types: [], receive: () => {} },
  ...changes,
});

/** The shelf: a required and an optional call. Visitors without a card share it. */
const shelfPage: PageKind = {
  name: 'shelf',
  describe: (request, _response, url) => ({
    kind: 'page',
    url,
    shareKey: [contextOf(request).visitor.isBot],
  }),
  async load({ description: { url }, visitor }, { calls, callContext }) {
    const gateway = asLibraryGateway(calls);
    try {
      const [{ books }] = await Promise.all([
        gateway.call('shelf', {}, callContext),
        gateway.call('recommendations', {}, callContext),
      ]);
      const page = { kind: 'shelf', url, referrer: null };
      const shelf = { url, entries: books as LibraryState['shelf']['entries'] };
      return {
        kind: 'loaded',
        state: asPageState(buildLibraryState({ page, shelf, session: sessionOf(visitor) })),
        completeness: calls.completeness,
        head: { title: 'Shelf', description: 'Books', canonical: url, isIndexed: true },
        currentUrl: url,
      };
    } catch (error) {
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      return { kind: 'message', status: 500, page: LIBRARY_PLAN.messages.unavailable };
    }
  },
};

const libraryRoutes =
  (site: Site, { logger, gateway }: EngineAdapters, onShown: PageKind['onShown']) =>
  ({ page, measured, limited, renders, writes }: EngineParts): SiteRoutes => {
    const shared = Router();
    shared.get('/catalog.xml', ...renders, (_, response) => void response.type('xml').send('<catalog/>'));
    const visitor = Router();
    visitor.get('/library/api/shelf', measured('api'), ...renders, (request, response, next) => {
      const { callContext } = contextOf(request);
      asLibraryGateway(gateway as Gateway)
        .call('shelf', {}, callContext)
        .then((data) => response.json(data), next);
    });
    for (const kind of ['book', 'series'])
      visitor.get(
        `/library/${kind}/:id`,
        measured(kind),
        ...renders,
        page(slotPage({ site, logger }, kind, { onShown })),
      );
    visitor.use('/reader', measured('reader'), writes);
    visitor.get('/reader', ...renders, page(slotPage({ site, logger }, 'reader')));
    return {
      pages: {
        paths: /^\/library\/shelf(?:\/.*)?$/i,
        allPaths: ['/library/shelf', '/library/shelf/*path'],
        handlers: [measured('shelf'), ...limited, page(shelfPage, { isCached: true })],
      },
      files: Router(),
      shared,
      visitor,
    };
  };

/**
 * Starts the library's app on a free port with a stubbed gateway: `answers` has stubs by call; other calls return their
 * fallback, and the shelf is empty.
 */
export function startLibrary(
  options: Pick<AppRigOptions<LibraryCall>, 'answers' | 'live' | 'render'> & {
    readonly adapters?: Partial<EngineAdapters>;
    readonly environment?: Record<string, string>;
    readonly site?: Partial<Site>;
    readonly onShown?: PageKind['onShown'];
  } = {},
): Promise<LibraryRig> {
  const { answers, live, render, adapters: changes, environment, onShown } = options;
  const site = librarySite(options.site ?? {});
  const config: EngineConfig = readLibraryConfig({ ...environment });
  return startAppRig(
    {
      table: LIBRARY_CALLS,
      speculationRules: site.speculationRules,
      answers: { shelf: () => ({ books: [] }), ...answers },
      live,
      render,
    },
    (given) => {
      const adapters = { ...given, ...changes };
      return createEngine(site, libraryRoutes(site, adapters, onShown), adapters, config);
    },
  );
}
