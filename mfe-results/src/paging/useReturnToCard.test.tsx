/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { searchLoaded } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

const scrollBy = jest.fn<(options: ScrollToOptions) => void>();
beforeEach(() => {
  prepareViewport();
  scrollBy.mockReset();
  sessionStorage.clear();
  window.scrollBy = scrollBy as unknown as typeof window.scrollBy;
});

const arrivedBy = (type: string) => Object.assign(performance, { getEntriesByType: () => [{ type }] });
const storeOpenedCard = (listingId: string, firstRecord: number) =>
  sessionStorage.setItem(
    'openedCard',
    JSON.stringify({ url: window.location.pathname, listingId, firstRecord, top: 200 }),
  );
const lastPage = {
  listings: listings(61, 30),
  pageSizes: [30],
  totalResultCount: 90,
  firstLoadedRecord: 60,
  criteria: { ...buildState().search.criteria, firstRecord: 60 },
};

describe('returning to a card of an earlier page', () => {
  it('requests the page of the card, replacing the current one, and focuses the card', async () => {
    arrivedBy('back_forward');
    storeOpenedCard('31', 30);
    const { payloads, waitForLateParts, store } = mountResults(lastPage);
    await waitForLateParts();
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { firstRecord: 30 }, cause: 'return', history: 'replace' },
    ]);
    const { requestId, status: _, ...before } = store.getState().search;
    const page = {
      ...before,
      listings: listings(31, 30),
      firstLoadedRecord: 30,
      criteria: { ...before.criteria, firstRecord: 30 },
    };
    act(() => void store.dispatch(searchLoaded({ requestId, page })));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Vehicle 31' })).toHaveFocus());
    expect(payloads('search.changeRequested')).toHaveLength(1);
  });

  it('requests the page only once, even when it no longer exists', async () => {
    arrivedBy('back_forward');
    storeOpenedCard('31', 30);
    const { payloads, waitForLateParts, store } = mountResults(lastPage);
    await waitForLateParts();
    const { requestId, status: _, ...page } = store.getState().search;
    act(() => void store.dispatch(searchLoaded({ requestId, page: { ...page, listings: listings(61, 1) } })));
    expect(payloads('search.changeRequested')).toHaveLength(1);
  });

  it.each([
    ['the card is on the page', 'back_forward', '61', 60],
    ['the page was opened by navigation', 'navigate', '31', 30],
    ['the vehicle is gone from its page', 'back_forward', 'gone', 60],
  ])('requests nothing when %s', async (_, type, listingId, firstRecord) => {
    arrivedBy(type);
    storeOpenedCard(listingId, firstRecord);
    const { payloads, waitForLateParts } = mountResults(lastPage);
    await waitForLateParts();
    expect(payloads('search.changeRequested')).toEqual([]);
  });
});

describe('reloading a long list', () => {
  const long = { ...lastPage, listings: listings(1, 60), pageSizes: [30, 30], firstLoadedRecord: 0 };
  const standing = (tops: Readonly<Record<string, number>>) =>
    jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const top = tops[this.getAttribute('data-listing') ?? ''] ?? -900;
      return { top, bottom: top + 600 } as DOMRect;
    });

  // rows: B4-PAGING-08
  it('returns to the card that was on top without moving the focus', async () => {
    arrivedBy('navigate');
    const before = mountResults(long);
    await before.waitForLateParts();
    const topsMock = standing({ 40: -100, 41: 500 });
    window.dispatchEvent(new Event('pagehide'));
    topsMock.mockRestore();
    before.unmount();

    arrivedBy('reload');
    // The URL has the page that was viewed last, the one after the card's.
    const { payloads, waitForLateParts, store } = mountResults(lastPage);
    await waitForLateParts();
    expect(payloads('search.changeRequested')).toMatchObject([{ criteria: { firstRecord: 30 } }]);
    const now = standing({ 40: 700 });
    const { requestId, status: _, ...page } = store.getState().search;
    const loaded = {
      ...page,
      listings: listings(31, 30),
      firstLoadedRecord: 30,
      criteria: { ...page.criteria, firstRecord: 30 },
    };
    act(() => void store.dispatch(searchLoaded({ requestId, page: loaded })));
    await waitFor(() => expect(scrollBy).toHaveBeenCalledWith({ top: 800, behavior: 'instant' }));
    expect(document.body).toHaveFocus();
    now.mockRestore();
  });

  it('leaves the scroll position of a single page to the browser', async () => {
    arrivedBy('navigate');
    const before = mountResults(lastPage);
    await before.waitForLateParts();
    window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage.getItem('cardInSight')).toBeNull();
  });
});
