import { Router, urlencoded, type Request, type RequestHandler } from 'express';
import { bookmarkTitleSchema } from '@forecourt/shared-contracts/entities';
import { signInLink } from '@forecourt/shared-contracts/url';
import { CallFailure } from '../../gateway/callFailure.ts';
import type { CallContext } from '../../gateway/gateway.ts';
import type { MessagePage } from '../../page/errorPage.ts';
import type { ShellDeps, ShellOptions } from '../../server/deps.ts';
import { infoOf } from '../../server/requestContext.ts';
import { isSameOrigin } from '../../server/sameOrigin.ts';
import { signedInCookie } from '../../session/cookies.ts';
import { noSessions } from '../../session/visitorSession.ts';
import { pageRoute, type PageAnswer, type PageContext } from '../pageRoute.ts';
import { doneUrl, SAVED_SEARCHES_PATH, SAVED_VEHICLES_PATH, type Done } from './savedPaths.ts';
import { savedSearchesView, type SavedSearches } from './savedSearchesView.ts';
import { savedVehiclesView, type SavedVehicle } from './savedVehiclesView.ts';

/** Vehicles on one page; each is looked up by itself. */
const VEHICLES_SHOWN = 48;

const fieldOf = (request: Request, name: string): string => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
};

const unavailable = (path: string): PageAnswer => {
  const message: MessagePage = {
    title: 'This cannot be shown right now',
    body:
      '<div class="fc-message"><h1>This cannot be shown right now</h1><p>What you saved is safe. Please try again in a moment.</p>' +
      `<p class="fc-message-actions"><a class="fc-action" href="${path}">Try again</a></p></div>`,
  };
  return { kind: 'message', status: 503, message };
};
const foreign: PageAnswer = {
  kind: 'message',
  status: 403,
  message: {
    title: 'Nothing was changed',
    body: '<div class="fc-message"><h1>Nothing was changed</h1><p>That request did not come from a page of this site.</p></div>',
  },
};
const page = (title: string, path: string, body: string, { stateOf }: PageContext): PageAnswer => ({
  kind: 'page',
  page: {
    title,
    description: `${title} of your account.`,
    canonical: path,
    isIndexed: false,
    current: path,
    body,
    state: stateOf({ url: path }),
    slots: ['leads'],
  },
});

/** A write by its call; false when the upstream could not be told. */
async function tell(write: () => Promise<unknown>): Promise<boolean> {
  try {
    const answer = (await write()) as { error?: unknown } | null;
    return answer?.error === undefined;
  } catch (error) {
    if (error instanceof CallFailure && error.code !== 'CANCELLED') return false;
    throw error;
  }
}

/**
 * The pages of what an account keeps: `/account/saved-searches` and
 * `/account/saved-vehicles` (B6-ROLE-03, AMB-017). Forms and links, so that all
 * of it works without JavaScript; whoever is signed out is sent to sign in.
 */
export function savedRoutes(
  deps: Pick<ShellDeps, 'gateway' | 'releases' | 'assets' | 'sessions'>,
  options: Pick<ShellOptions, 'SIGN_IN_PATH'>,
): Router {
  const { gateway, sessions = noSessions } = deps;

  /** A mark of its own, whose session is gone, would lead here and nowhere else for ever. */
  const withoutLoneMark: RequestHandler = (request, response, next) => {
    if (infoOf(request).visitor.session.signedIn && !sessions.isPresent(request))
      response.append('Set-Cookie', signedInCookie(0, { secure: request.secure }));
    next();
  };

  /** For the signed-in alone; a form must come from a page of this site. */
  const forAccount = (
    path: string,
    run: (request: Request, context: PageContext) => Promise<PageAnswer>,
  ): RequestHandler =>
    pageRoute(deps, async (request, context) => {
      if (!context.info.visitor.session.signedIn || !sessions.isPresent(request))
        return { kind: 'redirect', status: 302, to: signInLink(options.SIGN_IN_PATH, path) };
      if (request.method === 'POST' && !isSameOrigin(request)) return foreign;
      return run(request, context);
    });
  const after = (path: string, done: Done): PageAnswer => ({
    kind: 'redirect',
    status: 302,
    to: doneUrl(path, done),
  });

  async function searches(
    context: PageContext,
    shown: Pick<SavedSearches, 'done' | 'refused'>,
  ): Promise<PageAnswer> {
    const [kept, subscribed] = await Promise.all([
      gateway.call('bookmarks', {}, context.call),
      gateway.call('emailAlerts', {}, context.call),
    ]);
    // An error object stands where the account could not be reached.
    if (!('myAtcSearchViewBeans' in kept)) return unavailable(SAVED_SEARCHES_PATH);
    const alerts = 'alerts' in subscribed ? subscribed.alerts : [];
    const body = savedSearchesView({ bookmarks: kept.myAtcSearchViewBeans, alerts, ...shown });
    return page('Saved searches', SAVED_SEARCHES_PATH, body, context);
  }

  async function changeSearch(request: Request, context: PageContext): Promise<PageAnswer> {
    const id = fieldOf(request, 'id');
    const { call } = context;
    const action = fieldOf(request, 'action');
    if (action === 'rename') {
      const title = fieldOf(request, 'title');
      const parsed = bookmarkTitleSchema.safeParse({ bookmarkTitle: title });
      if (!parsed.success) {
        const reason = parsed.error.issues[0]?.message ?? '';
        return searches(context, { done: null, refused: { bookmarkId: id, title, reason } });
      }
      const isTold = await tell(() =>
        gateway.call('renameBookmark', { bookmarkId: id }, { ...call, body: parsed.data }),
      );
      return after(SAVED_SEARCHES_PATH, isTold ? 'renamed' : 'failed');
    }
    const isEnd = action === 'end';
    const isTold = await tell(() =>
      isEnd
        ? gateway.call('deleteAlert', { alertId: id }, call)
        : gateway.call('deleteBookmark', { bookmarkId: id }, call),
    );
    return after(SAVED_SEARCHES_PATH, isTold ? (isEnd ? 'ended' : 'deleted') : 'failed');
  }

  async function lookUp(id: string, call: CallContext): Promise<SavedVehicle['found']> {
    try {
      return await gateway.call('listing', { id }, call);
    } catch (error) {
      if (error instanceof CallFailure && error.code === 'REFUSED') return undefined;
      throw error;
    }
  }
  async function vehicles(_: Request, context: PageContext): Promise<PageAnswer> {
    const kept = await gateway.call('savedListings', {}, context.call);
    if (!('savedListings' in kept)) return unavailable(SAVED_VEHICLES_PATH);
    const shown = await Promise.all(
      kept.savedListings
        .slice(0, VEHICLES_SHOWN)
        .map(async ({ listingId, savedPrice }): Promise<SavedVehicle> => ({
          listingId,
          savedPrice,
          found: await lookUp(listingId, context.call),
        })),
    );
    const more = kept.savedListings.length - shown.length;
    const body = savedVehiclesView(shown, more, context.query.get('done'));
    return page('Saved vehicles', SAVED_VEHICLES_PATH, body, context);
  }
  async function removeVehicle(request: Request, { call }: PageContext): Promise<PageAnswer> {
    const listingId = fieldOf(request, 'id');
    const isTold = await tell(() => gateway.call('unsaveListing', { listingId }, call));
    return after(SAVED_VEHICLES_PATH, isTold ? 'removed' : 'failed');
  }

  const router = Router();
  router.use([SAVED_SEARCHES_PATH, SAVED_VEHICLES_PATH], withoutLoneMark);
  const body = urlencoded({ extended: false, limit: '8kb' });
  router.get(
    SAVED_SEARCHES_PATH,
    forAccount(SAVED_SEARCHES_PATH, (_, context) => searches(context, { done: context.query.get('done') })),
  );
  router.post(SAVED_SEARCHES_PATH, body, forAccount(SAVED_SEARCHES_PATH, changeSearch));
  router.get(SAVED_VEHICLES_PATH, forAccount(SAVED_VEHICLES_PATH, vehicles));
  router.post(SAVED_VEHICLES_PATH, body, forAccount(SAVED_VEHICLES_PATH, removeVehicle));
  return router;
}
