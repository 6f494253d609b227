import { CALLS } from '@forecourt/upstream/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createInventoryWriter } from '../../inventory/store/inventoryWriter.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';
import { MAX_SAVED_LISTINGS } from './savedStore.ts';

const ADA = { Authorization: 'Bearer token-of-ada' };
const BOB = { 'x-id-token': 'token-of-bob' };
const FORM = {
  bookmarkId: '',
  bookmarkTitle: 'Ford trucks',
  searchName: 'Ford trucks near me',
  lastExecuted: '2026/11/1 10:00:00',
  searchResultsURL: encodeURIComponent('{"makeCode":["FORD"]}'),
};

describe('account data', () => {
  let app: TestApp;
  beforeEach(async () => {
    const listings = ['1', '2', '3'].map((id) => aListing({ id, vin: `VIN0000000000000${id}` }));
    app = await startTestApp({ owners: [anOwner()], listings });
  });
  afterEach(() => app.stop());

  const save = async (form: object = FORM, headers: Record<string, string> = ADA) =>
    CALLS.bookmark.response.parse(
      await (await app.send('POST', '/account-api/search', form, headers)).json(),
    );
  const list = async (headers: Record<string, string> = ADA) =>
    CALLS.bookmarks.response.parse(await (await app.get('/account-api/searchbookmarks', headers)).json())
      .myAtcSearchViewBeans;
  const saved = async (headers: Record<string, string> = ADA) =>
    CALLS.savedListings.response
      .parse(await (await app.get('/account-api/saved-listings', headers)).json())
      .savedListings.map(({ listingId }) => listingId);

  // rows: A7-BOOK-02
  it('requires an id token in either header and rejects an invalid one', async () => {
    const path = '/account-api/searchbookmarks';
    const [none, bad] = [await app.get(path), await app.get(path, { 'x-id-token': 'forged' })];
    expect([none.status, bad.status]).toEqual([401, 401]);
    expect(await none.json()).toMatchObject({ error: { code: 'SIGN_IN_REQUIRED' } });
    expect(await bad.json()).toMatchObject({ error: { code: 'INVALID_TOKEN' } });
    expect((await app.get(path, ADA)).status).toBe(200);
    expect((await app.get(path, BOB)).status).toBe(200);
  });

  // rows: A7-BOOK-01, A7-BOOK-03, A3-BOOKMARK-01, A3-BOOKMARK-04
  it('stores a search with its four fields and returns it', async () => {
    const { bookmarkId } = await save();
    const response = await app.get(`/account-api/searchbookmarks?searchBookmarkId=${bookmarkId}`, ADA);
    expect(await response.json()).toEqual({
      ...FORM,
      bookmarkId,
      textModalDisclaimer: expect.stringContaining('until you delete them'),
      saveSearchInstrText: expect.stringContaining('share its link'),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  // rows: A3-BOOKMARK-01
  it('names a search without a name after its title', async () => {
    expect(await save({ ...FORM, searchName: '' })).toMatchObject({ searchName: FORM.bookmarkTitle });
  });

  // rows: A7-BOOK-04
  it('shares a search by its id and returns an empty list for an unknown id', async () => {
    const { bookmarkId } = await save();
    const path = '/account-api/searchbookmarks/share-bookmark';
    expect(await app.json(`${path}/${bookmarkId}`)).toMatchObject({
      myAtcSearchViewBeans: [{ bookmarkId, searchResultsURL: FORM.searchResultsURL }],
    });
    expect(await app.json(`${path}/nobody-has-this-one`)).toEqual({ myAtcSearchViewBeans: [] });
  });

  it('isolates accounts from each other', async () => {
    const { bookmarkId } = await save();
    const path = `/account-api/searchbookmarks/${bookmarkId}`;
    expect(await list(BOB)).toEqual([]);
    expect((await app.get(`/account-api/searchbookmarks?searchBookmarkId=${bookmarkId}`, BOB)).status).toBe(
      404,
    );
    expect((await app.send('PUT', path, { bookmarkTitle: 'mine' }, BOB)).status).toBe(404);
    expect((await app.send('POST', '/account-api/search', { ...FORM, bookmarkId }, BOB)).status).toBe(404);
    expect((await app.send('DELETE', path, undefined, BOB)).status).toBe(204);
    expect(await list()).toMatchObject([{ bookmarkTitle: FORM.bookmarkTitle }]);
  });

  it('renames, replaces and deletes a saved search', async () => {
    const { bookmarkId } = await save();
    const path = `/account-api/searchbookmarks/${bookmarkId}`;
    const renamed = await app.send('PUT', path, { bookmarkTitle: 'Trucks' }, ADA);
    expect(await renamed.json()).toMatchObject({ bookmarkId, bookmarkTitle: 'Trucks' });
    await save({ ...FORM, bookmarkId, lastExecuted: '2026/11/2 11:00:00' });
    expect(await list()).toMatchObject([{ lastExecuted: '2026/11/2 11:00:00' }]);
    await app.send('DELETE', path, undefined, ADA);
    expect(await list()).toEqual([]);
    expect((await app.send('PUT', path, { bookmarkTitle: 'x' }, ADA)).status).toBe(404);
  });

  it('counts the matches that arrived since a search was saved or last opened', async () => {
    const arrive = async (...listings: ReturnType<typeof aListing>[]) => {
      await createInventoryWriter(app.db).upsertListings(listings, 'test');
      // The service follows through a connection of its own; the test shares one.
      app.index.apply(listings.map((listing) => ({ id: listing.id, listing })));
    };
    const { bookmarkId } = await save();
    const counted = async (headers?: Record<string, string>) =>
      CALLS.bookmarks.response
        .parse(await (await app.get('/account-api/searchbookmarks?countNew=true', headers ?? ADA)).json())
        .myAtcSearchViewBeans.map(({ newMatches }) => newMatches);
    const open = (headers: Record<string, string>) =>
      app.send('POST', `/account-api/searchbookmarks/${bookmarkId}/opened`, undefined, headers);
    expect(await counted()).toEqual([{ count: 0, isAtLeast: false }]);

    const honda = { code: 'HONDA', name: 'Honda' };
    await arrive(aListing({ id: '4' }), aListing({ id: '5' }), aListing({ id: '6', make: honda }));
    expect(await counted()).toEqual([{ count: 2, isAtLeast: false }]);
    // A price change is no arrival.
    await arrive(aListing({ id: '1', salePrice: 9_999 }));
    expect(await counted()).toEqual([{ count: 2, isAtLeast: false }]);
    expect((await list())[0]).not.toHaveProperty('newMatches');
    // Looking at the list or at the link of a shared search opens nothing.
    await app.get(`/account-api/searchbookmarks/share-bookmark/${bookmarkId}`);
    expect((await open(BOB)).status).toBe(404);
    expect(await counted()).toEqual([{ count: 2, isAtLeast: false }]);

    expect(await (await open(ADA)).json()).toMatchObject({ bookmarkId, newMatches: { count: 2 } });
    expect(await counted()).toEqual([{ count: 0, isAtLeast: false }]);
    await arrive(aListing({ id: '7' }));
    expect(await counted()).toEqual([{ count: 1, isAtLeast: false }]);
    expect(await list()).toMatchObject([{ openedAt: expect.any(Number) }]);
    // Another inventory numbers its vehicles on its own.
    app.peopleDb.prepare(`UPDATE bookmarks SET inventory = 'of-another-replica'`).run();
    expect(await counted()).toEqual([undefined]);
  });

  it('stores a search once when the idempotency key repeats', async () => {
    const headers = { ...ADA, 'Idempotency-Key': 'one-sending' };
    const [first, second] = [await save(FORM, headers), await save(FORM, headers)];
    expect(second.bookmarkId).toBe(first.bookmarkId);
    expect(await list()).toHaveLength(1);
    const torn = await app.send('POST', '/account-api/search', FORM, { ...ADA, 'Idempotency-Key': 'short' });
    expect(torn.status).toBe(400);
  });

  it('saves listings, lists them newest first and removes them', async () => {
    const path = '/account-api/saved-listings';
    for (const id of ['1', '2', '1'])
      expect((await app.send('PUT', `${path}/${id}`, undefined, ADA)).status).toBe(204);
    expect((await saved()).sort()).toEqual(['1', '2']);
    expect(await saved(BOB)).toEqual([]);
    expect((await app.send('PUT', `${path}/gone`, undefined, ADA)).status).toBe(404);
    await app.send('DELETE', `${path}/1`, undefined, ADA);
    expect(await saved()).toEqual(['2']);
  });

  it('merges listings saved while signed out, except those no longer for sale', async () => {
    await app.send('PUT', '/account-api/saved-listings/1', undefined, ADA);
    const merged = await app.send(
      'POST',
      '/account-api/saved-listings/merge',
      { listingIds: ['1', '2', 'gone'] },
      ADA,
    );
    expect(
      CALLS.savedListings.response
        .parse(await merged.json())
        .savedListings.map(({ listingId }) => listingId)
        .sort(),
    ).toEqual(['1', '2']);
  });

  it('returns 409 when a listing is saved above the limit', async () => {
    const insert = app.peopleDb.prepare(
      `INSERT INTO saved_listings (account, listing_id, saved_at) VALUES ('ada', ?, 0)`,
    );
    for (let i = 0; i < MAX_SAVED_LISTINGS; i++) insert.run(`old-${i}`);
    const response = await app.send('PUT', '/account-api/saved-listings/1', undefined, ADA);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: { code: 'LIMIT' } });
  });

  it('exports and deletes all data of an account', async () => {
    await save();
    await app.send('PUT', '/account-api/saved-listings/1', undefined, ADA);
    const capture = { emailAddress: 'ada@example.com', brand: 'atc' };
    await app.send('POST', '/cars-for-sale/svc/email-capture', capture, ADA);
    const profile = { firstName: 'Ada', lastName: 'B', email: 'ada@example.com', phone: '' };
    const path = '/cars-for-sale/svc/lead-profile';
    await app.send('PUT', path, { ...profile, isOneClickOptedIn: true }, ADA);
    const read = async () =>
      CALLS.accountData.response.parse(await (await app.get('/account-api/data', ADA)).json());
    expect(await read()).toMatchObject({
      profile,
      bookmarks: [{}],
      savedListings: [{ listingId: '1', savedPrice: 38_000 }],
    });
    expect((await app.send('DELETE', '/account-api/data', undefined, ADA)).status).toBe(204);
    expect(await read()).toMatchObject({
      profile: { firstName: '', phone: '' },
      bookmarks: [],
      savedListings: [],
      alerts: [],
      devices: [],
      leads: [],
    });
    expect(app.peopleDb.prepare('SELECT count(*) AS n FROM captures').get()).toEqual({ n: 0 });
  });
});
