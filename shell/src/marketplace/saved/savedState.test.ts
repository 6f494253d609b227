import { describe, expect, it } from '@jest/globals';
import { createSlugReference } from '@forecourt/search/criteria';
import { emptySearch } from '@forecourt/search/state';
import { encodeStoredSearch, encodeUrl } from '@forecourt/search/url';
import type { CallName } from '@forecourt/upstream/calls';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { bookmarkOf, loadAccountState, NO_ACCOUNT } from './savedState.ts';

const REFERENCE = createSlugReference({
  makes: [{ code: 'FORD', name: 'Ford', slug: 'ford', models: [] }],
});
const ford = { ...emptySearch.criteria, filters: { makeCode: ['FORD'] } };
const bookmark = (searchResultsURL: string) => ({
  bookmarkId: 'b1',
  bookmarkTitle: 'My Fords',
  searchName: 'Ford',
  lastExecuted: '2026/06/1 10:00:00',
  searchResultsURL,
  textModalDisclaimer: '',
  saveSearchInstrText: '',
});

function gatewayOf(answers: Partial<Record<CallName, unknown>>) {
  const calls: CallName[] = [];
  const gateway: Pick<Gateway, 'call'> = {
    call: (name) => {
      calls.push(name);
      return Promise.resolve(answers[name] as never);
    },
  };
  return { gateway, calls };
}
const context = { requestId: 'request-1' };

describe('account state', () => {
  it('is not requested for signed-out visitors', async () => {
    const { gateway, calls } = gatewayOf({});
    expect(await loadAccountState(gateway, { signedIn: false }, context)).toBe(NO_ACCOUNT);
    expect(calls).toEqual([]);
  });

  it('is loaded for signed-in visitors', async () => {
    const { gateway } = gatewayOf({
      savedListings: { savedListings: [{ listingId: '7', savedAt: 1 }] },
      bookmarks: { myAtcSearchViewBeans: [bookmark('x')] },
    });
    expect((await loadAccountState(gateway, { signedIn: true }, context)).session).toEqual({
      savedListingIds: ['7'],
      savedSearchCount: 1,
    });
  });

  it('is empty when the calls fail', async () => {
    const error = { error: 'Circuit Breaker for /searchbookmarks is open' };
    const { gateway } = gatewayOf({ savedListings: error, bookmarks: error });
    expect(await loadAccountState(gateway, { signedIn: true }, context)).toEqual(NO_ACCOUNT);
  });
});

describe('bookmark of a search', () => {
  const url = encodeUrl(ford, REFERENCE);

  it('is the one whose stored search has the same URL', () => {
    const mine = bookmark(encodeStoredSearch(ford));
    const other = bookmark(encodeStoredSearch({ ...ford, filters: { makeCode: ['BMW'] } }));
    expect(bookmarkOf([other, mine], url, REFERENCE)).toBe(mine);
    expect(bookmarkOf([other], url, REFERENCE)).toBeUndefined();
  });

  it('ignores unreadable stored searches', () => {
    expect(bookmarkOf([bookmark('%'), bookmark('')], url, REFERENCE)).toBeUndefined();
  });
});
