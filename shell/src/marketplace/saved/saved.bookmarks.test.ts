import { afterEach, describe, expect, it } from '@jest/globals';
import { emptySearch } from '@forecourt/search/state';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import { encodeStoredSearch } from '@forecourt/search/url';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(options: Parameters<typeof startShell>[0] = {}): Promise<ShellRig> {
  const rig = await startShell(options);
  rigs.push(rig);
  return rig;
}

const results = () =>
  searchResponseSchema.parse({ listings: [buildListing()], owners: [buildOwner()], totalResultCount: 1 });
const stored = encodeStoredSearch({
  ...emptySearch.criteria,
  filters: { makeCode: ['FORD'], modelCode: ['F150'], maxPrice: ['20000'] },
});
const STORED_URL = '/cars-for-sale/all/ford/f150?maxPrice=20000';
const shared = (...searches: string[]) => ({
  myAtcSearchViewBeans: searches.map((searchResultsURL) => ({ searchResultsURL })),
});
const searchParams = ({ calls }: ShellRig) =>
  new URLSearchParams(calls.find(({ name }) => name === 'search')?.params);

describe('bookmark id in the URL', () => {
  // rows: A2-ROUTE-06, A2-QP-34, A7-BOOK-04
  it('redirects a shared search to its stored filters without the id', async () => {
    const rig = await start({ answers: { search: results, sharedBookmark: () => shared(stored, '%7B%7D') } });
    const answer = await rig.send('/cars-for-sale/all/ford?bookmarkId=abc');
    expect(answer).toMatchObject({ status: 302, headers: { location: STORED_URL } });
    expect(rig.calls).toMatchObject([{ name: 'sharedBookmark', params: 'bookmarkId=abc' }]);
    expect((await rig.send(STORED_URL)).status).toBe(200);
    expect(Object.fromEntries(searchParams(rig))).toMatchObject({
      makeCode: 'FORD',
      modelCode: 'F150',
      maxPrice: '20000',
    });
  });

  it('redirects a stored search that contains the id itself without a loop', async () => {
    const search = JSON.stringify({ makeCode: 'FORD', bookmarkId: 'b1', psid: 'mfr-tv', sortBy: 'yearASC' });
    const { send } = await start({ answers: { sharedBookmark: () => shared(search) } });
    const answer = await send('/cars-for-sale/all-cars?bookmarkId=b1');
    expect(answer.headers.location).toBe('/cars-for-sale/all/ford?sortBy=yearASC');
  });

  // rows: A2-QP-33, A2-ROUTE-06
  it('prefers an own search over a shared one', async () => {
    const rig = await start({
      answers: { bookmark: () => ({ searchResultsURL: stored }), sharedBookmark: () => shared('%7B%7D') },
    });
    const answer = await rig.send('/cars-for-sale/all-cars?bookmarkId=abc&searchBookmarkId=own', {
      headers: { Cookie: 'signedIn=true' },
    });
    expect(answer.headers.location).toBe(STORED_URL);
    expect(rig.calls.map(({ name, params }) => [name, params])).toEqual([
      ['bookmark', 'searchBookmarkId=own'],
    ]);
  });

  // rows: B6-ROLE-03
  it('leads a signed-out visitor with a search of an account to sign-in and back', async () => {
    const rig = await start({ answers: { search: results } });
    const answer = await rig.send('/cars-for-sale/all-cars?searchBookmarkId=own');
    expect(answer.status).toBe(302);
    const signIn = new URL(answer.headers.location ?? '', 'http://localhost');
    expect(signIn.pathname).toBe('/account/sign-in');
    expect(signIn.searchParams.get('refUrl')).toBe('/cars-for-sale/all-cars?searchBookmarkId=own');
    expect(rig.calls).toEqual([]);
  });

  // rows: A8-ERR-02, A8-ERR-03
  it.each([
    ['does not exist', () => shared()],
    ['cannot be looked up', () => ({ error: 'Circuit Breaker for /searchbookmarks is open' })],
    ['holds no search', () => shared('%')],
  ])('shows an unfiltered search with a notice and a log entry when it %s', async (_, sharedBookmark) => {
    const rig = await start({ answers: { search: results, sharedBookmark } });
    const moved = await rig.send('/cars-for-sale/all/ford?bookmarkId=abc&maxPrice=20000');
    expect([moved.status, moved.headers.location]).toEqual([302, '/cars-for-sale/all-cars?bookmarkId=abc']);
    const { status, text } = await rig.send('/cars-for-sale/all-cars?bookmarkId=abc');
    expect(status).toBe(200);
    expect(text).toContain('2021 Ford F-150 XLT');
    const { search } = await rig.content(text);
    expect(search).toMatchObject({ notice: 'Bookmark not found', criteria: { filters: {} } });
    expect(search.criteria.filters).toEqual({});
    expect(rig.log).toContainEqual(
      expect.objectContaining({ msg: 'Bookmark not found', code: 'BOOKMARK_NOT_FOUND' }),
    );
  });

  it('is resolved per visitor, and its page is never shared', async () => {
    const rig = await start({ answers: { search: results } });
    for (let times = 1; times <= 2; times += 1) {
      await rig.send('/cars-for-sale/all-cars?bookmarkId=abc');
      expect(rig.calls.filter(({ name }) => name === 'sharedBookmark')).toHaveLength(times);
    }
  });
});

describe('campaign code in the URL', () => {
  const cookie = async (path: string, options: Parameters<typeof startShell>[0] = {}) => {
    const rig = await start({ answers: { search: results }, ...options });
    const answer = await rig.send(path);
    return {
      rig,
      answer,
      campaign: answer.headers['set-cookie']?.find((text) => text.startsWith('campaign=')),
    };
  };

  // rows: B9-CAMPAIGN-01, B3-CAMPAIGN-01
  it('sets its channel cookie for 604800 s and applies it at once', async () => {
    const { campaign, rig } = await cookie('/cars-for-sale/all-cars?psid=mfr-tv');
    expect(campaign?.split('; ')).toEqual(
      expect.arrayContaining(['campaign=OEM', 'Max-Age=604800', 'HttpOnly', 'SameSite=Lax', 'Path=/']),
    );
    expect(searchParams(rig).get('channel')).toBe('OEM');
  });

  it('sets its cookie on a redirect, for this visitor only', async () => {
    const { campaign, answer } = await cookie('/cars-for-sale/all-cars?zip=60601&psid=mfr-tv');
    expect(answer.status).toBe(301);
    expect(campaign).toContain('campaign=OEM');
    expect(answer.headers['cache-control']).toBe('private');
  });

  it('applies its channel until the cookie expires', async () => {
    const rig = await start({ answers: { search: results } });
    await rig.send('/cars-for-sale/all-cars', { headers: { Cookie: 'campaign=OEM' } });
    expect(searchParams(rig).get('channel')).toBe('OEM');
  });

  it('is only forwarded when it is unknown', async () => {
    const { campaign, rig } = await cookie('/cars-for-sale/all-cars?psid=other');
    expect(campaign).toBeUndefined();
    expect(searchParams(rig).get('channel')).toBe('ATC');
    expect(searchParams(rig).get('psid')).toBe('other');
  });
});

describe('main listing call', () => {
  // rows: B7-LIST-01
  it('is the only required call', async () => {
    const rig = await start({
      answers: {
        search: () => {
          throw new CallFailure('UPSTREAM_ERROR', 'search', 'status 500', 500);
        },
        premiumSpotlights: () => ({ listings: [buildListing()], owners: [] }),
        zipLookup: () => ({ success: true, city: 'Chicago', state: 'IL' }),
      },
    });
    const { status, text } = await rig.send('/cars-for-sale/all-cars?zip=60601');
    expect(status).toBe(500);
    expect(text).toContain('There was an issue with your last search.');
  });

  // rows: B7-LIST-15, B8-ERR-03
  it.each([
    ['a failure', new CallFailure('UPSTREAM_ERROR', 'search', 'status 500', 500)],
    ['a time-out', new CallFailure('TIMED_OUT', 'search', 'no answer in time')],
  ])('is reported to monitoring once after %s', async (_, failure) => {
    const { send, log, metrics } = await start({
      answers: {
        search: () => {
          throw failure;
        },
      },
    });
    await send('/cars-for-sale/all-cars', { headers: { 'X-Request-Id': 'abcd-1234' } });
    const reports = log.filter(({ msg }) => msg === 'reported');
    expect(reports).toMatchObject([{ level: 50, code: 'SEARCH_FAILED', requestId: 'abcd-1234' }]);
    expect(await metrics.metrics()).toContain('forecourt_reports_total{code="SEARCH_FAILED"} 1');
  });

  // rows: A3-SORT-12
  it('sorts by relevance when the URL names no sort', async () => {
    const rig = await start({ answers: { search: results } });
    const { text } = await rig.send('/cars-for-sale');
    expect(searchParams(rig).get('sortBy')).toBe('relevance');
    expect((await rig.content(text)).search.criteria.sortBy).toBe('relevance');
  });

  // rows: B7-LIST-14
  it('provides listings and owners', async () => {
    const { send, content } = await start({ answers: { search: results } });
    const { search } = await content((await send('/cars-for-sale/all-cars')).text);
    expect(search.listings).toMatchObject([{ id: '1001' }]);
    expect(search.owners).toMatchObject({ d1: buildOwner() });
  });
});
