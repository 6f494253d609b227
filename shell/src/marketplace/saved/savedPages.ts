import { normalizeUrl } from '@forecourt/search/decode';
import { encodeUrl, signInLink, storedSearchUrl } from '@forecourt/search/url';
import { randomUUID } from 'node:crypto';
import { Router, urlencoded, type Request, type RequestHandler } from 'express';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { CALLS } from '@forecourt/upstream/calls';
import { bookmarkTitleSchema, formatLastExecuted } from '@forecourt/upstream/entities';
import { contextOf } from '../../engine/http/requestContext.ts';
import { isSameOrigin, sendError } from '../../engine/http/responses.ts';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import { signedInCookie } from '../visitor/cookies.ts';
import { noSessions, type VisitorSessions } from '../visitor/visitor.ts';
import type { MessagePage } from '../../engine/http/messagePage.ts';
import { leaveForm } from '../frame/leaveForm.ts';
import { sendMessagePage } from '../frame/messagePages.ts';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import type { ShellAssets } from '../../engine/compose/shellAssets.ts';

const SEARCHES_PATH = '/account/saved-searches';
const VEHICLES_PATH = '/account/saved-vehicles';
const DATA_PATH = '/account/data';
/** Leads to the issuer, where the password deletes the account itself. */
const DELETE_PATH = '/account/delete';

/** Outcome of a form, shown by the page after the redirect. */
type Outcome = 'renamed' | 'deleted' | 'restored' | 'subscribed' | 'ended' | 'removed' | 'failed';

/** Keeps the redirect's URL short; a longer title is refused anyway. */
const MAX_RETURNED_TITLE = 500;

const CROSS_ORIGIN_FORM: MessagePage = {
  title: 'Nothing was changed',
  body: '<div class="fc-message"><h1>Nothing was changed</h1><p>That request did not come from a page of this site.</p></div>',
};

const fieldOf = (request: Request, name: string): string => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
};

/** Whether a write succeeded; optional calls resolve to an error object instead of rejecting. */
async function hasSucceeded(write: () => Promise<unknown>): Promise<boolean> {
  try {
    const result = (await write()) as { error?: unknown } | null;
    return result?.error === undefined;
  } catch (error) {
    if (error instanceof CallFailure && error.code !== 'CANCELLED') return false;
    throw error;
  }
}

const doneUrl = (path: string, done: Outcome): string => `${path}?done=${done}`;

/** Runs a form and resolves to the URL to redirect to. */
type Form = (request: Request, gateway: Gateway) => Promise<string>;

const changeSearch: Form = async (request, gateway) => {
  const action = fieldOf(request, 'action');
  if (action === 'rename') return renameSearch(request, gateway);
  if (action === 'restore') return restoreSearch(request, gateway);
  if (action === 'alert') return changeAlert(request, gateway);
  const id = fieldOf(request, 'id');
  const { callContext } = contextOf(request);
  const isDeleted = await hasSucceeded(() => gateway.call('deleteBookmark', { bookmarkId: id }, callContext));
  return isDeleted ? deletedUrl(request) : doneUrl(SEARCHES_PATH, 'failed');
};

/** Whether and how often new matches of a search are emailed to the account's address. */
const changeAlert: Form = async (request, gateway) => {
  const { callContext, visitor } = contextOf(request);
  const { account, brand } = visitor.session;
  const frequency = fieldOf(request, 'frequency');
  const alertId = fieldOf(request, 'id');
  if (frequency === 'off') {
    const isEnded =
      alertId === '' || (await hasSucceeded(() => gateway.call('deleteAlert', { alertId }, callContext)));
    return doneUrl(SEARCHES_PATH, isEnded ? 'ended' : 'failed');
  }
  const body = CALLS.subscribeAlert.body.safeParse({
    emailAddress: account?.email,
    brand,
    search: fieldOf(request, 'search'),
    frequency,
  });
  const isSubscribed =
    body.success &&
    (await hasSucceeded(() => gateway.call('subscribeAlert', {}, { ...callContext, body: body.data })));
  return doneUrl(SEARCHES_PATH, isSubscribed ? 'subscribed' : 'failed');
};

/** Carries the deleted search, so that the page can offer to save it again. */
function deletedUrl(request: Request): string {
  const deleted = { title: fieldOf(request, 'title'), search: fieldOf(request, 'search') };
  const canRestore = restoredBody(deleted) !== undefined;
  return `${SEARCHES_PATH}?${new URLSearchParams({ done: 'deleted', ...(canRestore && deleted) }).toString()}`;
}

/** The call's body for a search as it was deleted; undefined if it is none. */
function restoredBody({ title, search }: { readonly title: string; readonly search: string }) {
  const body = CALLS.saveSearch.body.safeParse({
    bookmarkId: '',
    bookmarkTitle: title,
    searchName: title,
    lastExecuted: formatLastExecuted(new Date()),
    searchResultsURL: search,
  });
  return body.success && storedSearchUrl(search) !== undefined ? body.data : undefined;
}

const restoreSearch: Form = async (request, gateway) => {
  const body = restoredBody({ title: fieldOf(request, 'title'), search: fieldOf(request, 'search') });
  if (!body) return doneUrl(SEARCHES_PATH, 'failed');
  const { callContext } = contextOf(request);
  const isRestored = await hasSucceeded(() =>
    gateway.call('saveSearch', {}, { ...callContext, body, idempotencyKey: randomUUID() }),
  );
  return doneUrl(SEARCHES_PATH, isRestored ? 'restored' : 'failed');
};

const renameSearch: Form = async (request, gateway) => {
  const id = fieldOf(request, 'id');
  const title = fieldOf(request, 'title');
  const body = bookmarkTitleSchema.safeParse({ bookmarkTitle: title });
  if (!body.success) {
    const reason = body.error.issues[0]?.code ?? 'invalid';
    const typed = title.slice(0, MAX_RETURNED_TITLE);
    return `${SEARCHES_PATH}?${new URLSearchParams({ refused: id, title: typed, reason }).toString()}`;
  }
  const { callContext } = contextOf(request);
  const isRenamed = await hasSucceeded(() =>
    gateway.call('renameBookmark', { bookmarkId: id }, { ...callContext, body: body.data }),
  );
  return doneUrl(SEARCHES_PATH, isRenamed ? 'renamed' : 'failed');
};

const removeVehicle: Form = async (request, gateway) => {
  const listingId = fieldOf(request, 'id');
  const { callContext } = contextOf(request);
  const isRemoved = await hasSucceeded(() => gateway.call('unsaveListing', { listingId }, callContext));
  return doneUrl(VEHICLES_PATH, isRemoved ? 'removed' : 'failed');
};

/** The search as it was saved, or its newest vehicles first. */
function openedUrl(stored: string, hasNew: boolean): string | undefined {
  const url = storedSearchUrl(stored);
  const search = url !== undefined && hasNew ? normalizeUrl(url, EMPTY_SLUG_REFERENCE) : undefined;
  if (search?.kind !== 'search') return url;
  return encodeUrl({ ...search.criteria, sortBy: 'datelistedDESC' }, EMPTY_SLUG_REFERENCE);
}

/** Opens a saved search at what is new in it, which the account has seen from now on. */
const openSearch =
  (gateway: Gateway): RequestHandler<{ id: string }> =>
  async (request, response) => {
    const { id } = request.params;
    const opened = await gateway.call('openBookmark', { bookmarkId: id }, contextOf(request).callContext);
    const target =
      'searchResultsURL' in opened
        ? openedUrl(opened.searchResultsURL, Boolean(opened.newMatches?.count))
        : undefined;
    // The results page says what is wrong with it.
    const fallback = `/cars-for-sale/all-cars?${new URLSearchParams({ searchBookmarkId: id }).toString()}`;
    response.set('Cache-Control', 'no-store').redirect(302, target ?? fallback);
  };

/** Removes a `signedIn` cookie without a session, which would cause a redirect loop with sign-in. */
const clearStaleSignedIn =
  (sessions: VisitorSessions): RequestHandler =>
  (request, response, next) => {
    if (contextOf(request).visitor.session.signedIn && !sessions.isPresent(request))
      response.append('Set-Cookie', signedInCookie(0, { secure: request.secure }));
    next();
  };

/** Downloads everything that is stored for the account (`accountData`). */
const exportData =
  (gateway: Gateway): RequestHandler =>
  async (request, response) => {
    const { callContext, visitor } = contextOf(request);
    const data = await gateway.call('accountData', {}, callContext);
    if ('error' in data)
      return sendError(response, 503, 'UNREACHABLE', 'your data is not available right now');
    const { account } = visitor.session;
    return response
      .set('Cache-Control', 'no-store')
      .attachment('my-data.json')
      .json({ account, ...data });
  };

/** Deletes everything that is stored for the account; its password deletes the account itself, at the issuer. */
const deleteData: Form = async (request, gateway) =>
  (await hasSucceeded(() => gateway.call('deleteAccountData', {}, contextOf(request).callContext)))
    ? DELETE_PATH
    : doneUrl(VEHICLES_PATH, 'failed');

const requireAccount =
  (
    sessions: VisitorSessions,
    {
      signInUrl,
      isOpen,
      css,
    }: { readonly signInUrl: string; readonly isOpen: boolean; readonly css: string },
  ): RequestHandler =>
  (request, response, next) => {
    const { signedIn } = contextOf(request).visitor.session;
    if (signedIn && sessions.isPresent(request)) return next();
    // Without an account, its page shows the vehicles that the browser has saved.
    if (isOpen && !signedIn && request.method === 'GET') return next();
    if (request.method === 'POST') return leaveForm(response, signInUrl, { css });
    return response.set('Cache-Control', 'no-store').redirect(302, signInUrl);
  };

const requireSameOrigin =
  (css: string): RequestHandler =>
  (request, response, next) =>
    isSameOrigin(request) ? next() : sendMessagePage(response, CROSS_ORIGIN_FORM, { css, status: 403 });

/**
 * `/account/saved-searches` and `/account/saved-vehicles`:
 * pages and the forms on them, which work without JavaScript; `/account/saved-searches/{id}`, which opens a search;
 * and `/account/data`, everything that an account has saved. Signed-out visitors are redirected to sign in, except from the vehicles, which their
 * browser may have saved.
 */
export function savedPages(
  deps: {
    readonly gateway: Gateway;
    readonly assets: Pick<ShellAssets, 'css'>;
    readonly sessions?: VisitorSessions | undefined;
  },
  { SIGN_IN_PATH }: { readonly SIGN_IN_PATH: string },
  {
    renders,
    pageOf: page,
  }: {
    readonly renders: readonly RequestHandler[];
    /** The handler of the pages of a kind. */
    readonly pageOf: (kind: string, options: { readonly currentUrl: string }) => RequestHandler;
  },
): Router {
  const { gateway, sessions = noSessions } = deps;
  const body = urlencoded({ extended: false, limit: '8kb' });
  const sameOrigin = requireSameOrigin(deps.assets.css);
  const router = Router();
  const pageOf = (kind: 'saved-searches' | 'saved-vehicles', currentUrl: string) => [
    ...renders,
    page(kind, { currentUrl }),
  ];
  for (const [path, page, submit] of [
    [SEARCHES_PATH, pageOf('saved-searches', SEARCHES_PATH), changeSearch],
    [VEHICLES_PATH, pageOf('saved-vehicles', VEHICLES_PATH), removeVehicle],
    [DATA_PATH, [...renders, exportData(gateway)], deleteData],
  ] as const) {
    const account = requireAccount(sessions, {
      signInUrl: signInLink(SIGN_IN_PATH, path),
      isOpen: path === VEHICLES_PATH,
      css: deps.assets.css,
    });
    router.use(path, clearStaleSignedIn(sessions));
    router.get(path, account, ...page);
    if (path === SEARCHES_PATH) router.get(`${path}/:id`, account, openSearch(gateway));
    router.post(path, body, account, sameOrigin, async (request, response) => {
      const target = await submit(request, gateway);
      // From there, to the issuer.
      if (target === DELETE_PATH) return leaveForm(response, target, deps.assets);
      return response.set('Cache-Control', 'no-store').redirect(302, target);
    });
  }
  return router;
}
