import { createHash } from 'node:crypto';
import { CALLS } from '@forecourt/upstream/calls';
import { type Bookmark, bookmarkTitleSchema } from '@forecourt/upstream/entities';
import type { BookmarkForm } from '../../domain/callTypes.ts';
import { formBody, idempotencyKeyOf, noStore, readBody } from '../../http/requests.ts';
import { type Request, Router } from 'express';
import { ApiError } from '../../http/middleware.ts';
import type { Callers } from './caller.ts';
import type { People } from './people.ts';
import type { ListingStore, NewListings } from '../../inventory/index.ts';
import { BookmarkError, MAX_BOOKMARKS, MAX_SAVED_LISTINGS, type SeenArrivals } from './savedStore.ts';
import { derivedPrice } from '../../domain/stock.ts';

export interface AccountRouteDeps {
  readonly people: People;
  readonly callers: Callers;
  readonly store: ListingStore;
  readonly newListings: NewListings;
  /** Matches of a saved search that arrived after those; undefined if that can't be said. */
  readonly countNewMatches: (bookmark: Bookmark, seen: SeenArrivals) => Promise<Bookmark['newMatches']>;
}

/** Bookmarks, saved listings, and export and deletion of all account data. */
export function accountRoutes(deps: AccountRouteDeps): Router {
  const { people, callers } = deps;
  const router = Router();
  router.use('/account-api', noStore);
  router.use(bookmarkRoutes(deps), savedListingRoutes(deps));
  router.get('/account-api/data', async (request, response) => {
    const { account } = await callers.account(request);
    response.json(await people.dataOf(account));
  });
  router.delete('/account-api/data', async (request, response) => {
    await people.forget(await callers.account(request));
    response.status(204).end();
  });
  return router;
}

const bookmarkNotFound = () => new ApiError(404, 'BOOKMARK_NOT_FOUND', 'Bookmark not found');

/** Derives a new bookmark's id from the idempotency key, so that a retry saves the same bookmark. */
function withId(form: BookmarkForm, account: string, request: Request): BookmarkForm {
  const key = idempotencyKeyOf(request);
  if (form.bookmarkId || key === undefined) return form;
  const bookmarkId = createHash('sha256').update(`${account} ${key}`).digest('base64url');
  return { ...form, bookmarkId };
}

function bookmarkRoutes(deps: AccountRouteDeps): Router {
  const {
    people: { bookmarks },
    callers,
    newListings,
    countNewMatches,
  } = deps;
  const seenNow = async (): Promise<SeenArrivals> => ({
    row: await newListings.newestRow(),
    inventory: newListings.inventory,
  });

  /** With their numbers of new matches. */
  async function counted(account: string, list: readonly Bookmark[]): Promise<readonly Bookmark[]> {
    const seen = await bookmarks.seen(account);
    return Promise.all(
      list.map(async (bookmark) => {
        const before = seen.get(bookmark.bookmarkId);
        const newMatches = before && (await countNewMatches(bookmark, before));
        return newMatches ? { ...bookmark, newMatches } : bookmark;
      }),
    );
  }

  const router = Router();
  router.get('/account-api/searchbookmarks', async (request, response) => {
    const { account } = await callers.account(request);
    const id = request.query['searchBookmarkId'];
    if (id === undefined) {
      const list = await bookmarks.list(account);
      const isCounted = request.query['countNew'] === 'true';
      response.json({ myAtcSearchViewBeans: isCounted ? await counted(account, list) : list });
      return;
    }
    const bookmark = typeof id === 'string' ? await bookmarks.own(account, id) : undefined;
    if (!bookmark) throw bookmarkNotFound();
    response.json(bookmark);
  });
  router.get('/account-api/searchbookmarks/share-bookmark/:bookmarkId', async (request, response) => {
    const bookmark = await bookmarks.shared(request.params.bookmarkId);
    response.json({ myAtcSearchViewBeans: bookmark ? [bookmark] : [] });
  });
  router.post('/account-api/search', formBody, async (request, response) => {
    const form = readBody(CALLS.saveSearch.body, request);
    const { account } = await callers.account(request);
    try {
      response.json(await bookmarks.save(account, withId(form, account, request), await seenNow()));
    } catch (error) {
      if (!(error instanceof BookmarkError)) throw error;
      throw error.code === 'LIMIT'
        ? new ApiError(409, 'LIMIT', `You can save up to ${MAX_BOOKMARKS} searches`)
        : bookmarkNotFound();
    }
  });
  // Answers with what is new to the account, which it has seen from now on.
  router.post('/account-api/searchbookmarks/:bookmarkId/opened', async (request, response) => {
    const { account } = await callers.account(request);
    const { bookmarkId } = request.params;
    const seen = await seenNow();
    const before = await bookmarks.own(account, bookmarkId);
    const [bookmark] = before ? await counted(account, [before]) : [];
    if (!bookmark || !(await bookmarks.open(account, bookmarkId, seen))) throw bookmarkNotFound();
    response.json(bookmark);
  });
  router.put('/account-api/searchbookmarks/:bookmarkId', formBody, async (request, response) => {
    const { bookmarkTitle } = readBody(bookmarkTitleSchema, request);
    const { account } = await callers.account(request);
    const bookmark = await bookmarks.rename(account, request.params.bookmarkId as string, bookmarkTitle);
    if (!bookmark) throw bookmarkNotFound();
    response.json(bookmark);
  });
  router.delete('/account-api/searchbookmarks/:bookmarkId', async (request, response) => {
    const { account } = await callers.account(request);
    await bookmarks.remove(account, request.params.bookmarkId);
    response.status(204).end();
  });
  return router;
}

function savedListingRoutes({ people: { savedListings }, callers, store }: AccountRouteDeps): Router {
  const router = Router();
  router.get('/account-api/saved-listings', async (request, response) => {
    const { account } = await callers.account(request);
    response.json({ savedListings: await savedListings.list(account) });
  });
  router.put('/account-api/saved-listings/:listingId', async (request, response) => {
    const { account } = await callers.account(request);
    const [listing] = await store.listings([request.params.listingId]);
    if (!listing) throw new ApiError(404, 'LISTING_NOT_FOUND', 'This vehicle is no longer for sale');
    if (!(await savedListings.save(account, listing.id, derivedPrice(listing))))
      throw new ApiError(409, 'LIMIT', `You can save up to ${MAX_SAVED_LISTINGS} vehicles`);
    response.status(204).end();
  });
  router.delete('/account-api/saved-listings/:listingId', async (request, response) => {
    const { account } = await callers.account(request);
    await savedListings.remove(account, request.params.listingId);
    response.status(204).end();
  });
  router.post('/account-api/saved-listings/merge', formBody, async (request, response) => {
    const { listingIds } = readBody(CALLS.mergeSavedListings.body, request);
    const { account } = await callers.account(request);
    const listings = (await store.listings(listingIds)).map((listing) => ({
      id: listing.id,
      price: derivedPrice(listing),
    }));
    await savedListings.merge(account, listings);
    response.json({ savedListings: await savedListings.list(account) });
  });
  return router;
}
