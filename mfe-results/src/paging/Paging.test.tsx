/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { moreFailed, moreLoaded, moreStarted, searchLoaded } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { cards, listings, mountResults, noSpotlights } from '../testing/mountResults.ts';
import { FakeIntersections, prepareViewport, scrollTo } from '../testing/viewport.ts';

beforeEach(prepareViewport);

describe('paging', () => {
  const paged = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };
  const more = () => screen.queryByText('See More Results', { selector: ':not([hidden]) > a' });
  const placeholders = () => document.querySelectorAll('[data-placeholder]');
  /** Scrolls until all observed elements are in view. */
  const scrollToEnd = async () => {
    for (const { elements } of FakeIntersections.all) for (const element of elements) await scrollTo(element);
  };
  const loadNext = (shell: ReturnType<typeof mountResults>, firstRecord: number) => {
    const requestId = `more${firstRecord}`;
    act(() => void shell.store.dispatch(moreStarted({ requestId })));
    const page = {
      listings: listings(firstRecord + 1, 30),
      owners: {},
      spotlights: noSpotlights,
      firstRecord,
      url: `/cars-for-sale/all-cars?firstRecord=${firstRecord}`,
    };
    return async () => {
      act(() => void shell.store.dispatch(moreLoaded({ requestId, page })));
      // The page is appended in slices, one per frame.
      await waitFor(
        () => expect(shell.container.querySelector('#listings')).toHaveAttribute('aria-busy', 'false'),
        { timeout: 10_000 },
      );
    };
  };

  // rows: B4-PAGING-01, B2-BOTTOM-01
  it("shows 'See More Results' after the first page and loads nothing by scrolling", async () => {
    const { payloads, container } = mountResults(paged);
    expect(more()).toBeVisible();
    const grid = container.querySelector('#listings');
    expect(grid?.compareDocumentPosition(more()!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await scrollToEnd();
    expect(payloads('search.moreRequested')).toEqual([]);
  });

  it('links to the next page, for crawlers and without JavaScript', () => {
    mountResults({ ...paged, url: '/cars-for-sale/used?zip=60601' });
    const link = screen.getByRole('link', { name: 'See More Results' });
    expect(link).toHaveAttribute('href', '/cars-for-sale/used?firstRecord=30&zip=60601');
    expect(link).toHaveAttribute('rel', 'next');
  });

  // rows: B4-PAGING-02, B9-SCROLL-01
  it('loads the third page by scrolling after one click, 1000 px before the end', async () => {
    const shell = mountResults(paged);
    const button = more();
    if (button) await userEvent.click(button);
    expect(shell.payloads('search.moreRequested')).toHaveLength(1);
    await loadNext(shell, 30)();
    await scrollToEnd();
    expect(shell.payloads('search.moreRequested')).toHaveLength(2);
    const margins = FakeIntersections.all.map(({ options }) => options.rootMargin);
    // Also when a jump has passed the end.
    expect(margins).toContain('1000000px 0px 1000px 0px');
  });

  it('requests the next page for a click while other results are rendered', async () => {
    const shell = mountResults(paged);
    const { requestId, status: _, ...page } = shell.store.getState().search;
    // Outside of `act`, React renders as in a browser: the results follow in a transition.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
    try {
      shell.store.dispatch(searchLoaded({ requestId, page: { ...page, listings: listings(101, 30) } }));
      // Its microtask renders that there are others, and no more.
      await Promise.resolve();
      expect(shell.container.querySelector('#listings')).toHaveAttribute('aria-busy', 'true');
      more()?.click();
    } finally {
      Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    }
    expect(shell.payloads('search.moreRequested')).toHaveLength(1);
    await waitFor(() => expect(cards()[0]).toBe('Vehicle 101'));
  });

  // rows: B6-FLAG-06
  it('loads each page on click while infinite scroll is off', async () => {
    const shell = mountResults(paged, { flags: { ...FLAGS, infiniteScroll: false } });
    await loadNext(shell, 30)();
    await scrollToEnd();
    expect(shell.payloads('search.moreRequested')).toEqual([]);
    expect(more()).toBeVisible();
  });

  // rows: B4-PAGING-03
  it('requests no page while one is loading', async () => {
    const shell = mountResults(paged);
    await loadNext(shell, 30)();
    loadNext(shell, 60);
    await scrollToEnd();
    expect(shell.payloads('search.moreRequested')).toEqual([]);
    expect(more()).toBeNull();
  });

  // rows: B4-PAGING-04, B2-BOTTOM-02
  it("shows 25 placeholders and 'Loading more results...' while loading", async () => {
    const shell = mountResults(paged);
    expect(placeholders()).toHaveLength(0);
    const resolvePage = loadNext(shell, 30);
    expect(placeholders()).toHaveLength(25);
    expect(screen.getByText('Loading more results...')).toBeVisible();
    await resolvePage();
    expect(screen.queryByText('Loading more results...')).toBeNull();
    expect(cards()).toHaveLength(60);
  });

  it('replaces placeholders one by one while the vehicles of a page appear, down to twelve, so that nothing shifts', async () => {
    // The end of the list is far below the screen: the page comes in slices.
    const rect = jest.spyOn(Element.prototype, 'getBoundingClientRect');
    rect.mockReturnValue({ top: 5_000, bottom: 6_000 } as DOMRect);
    const shell = mountResults(paged);
    const resolvePage = loadNext(shell, 30);
    const counts: { readonly cards: number; readonly placeholders: number }[] = [];
    const observer = new MutationObserver(() => {
      counts.push({ cards: cards().length, placeholders: placeholders().length });
    });
    observer.observe(shell.container, { childList: true, subtree: true });
    await resolvePage();
    observer.disconnect();
    rect.mockRestore();
    expect(cards()).toHaveLength(60);
    for (const shown of counts)
      expect(shown.placeholders).toBe(shown.cards === 60 ? 25 : Math.max(12, 55 - shown.cards));
    expect(new Set(counts.map((shown) => shown.placeholders))).toContain(12);
  });

  it('has one marker at the end of the list after each further page', async () => {
    const shell = mountResults({ ...paged, totalResultCount: 150 });
    const ends = () => shell.container.querySelectorAll('#listings [style*="--one"]');
    for (const firstRecord of [30, 60, 90]) {
      await loadNext(shell, firstRecord)();
      expect(ends()).toHaveLength(1);
    }
    expect(shell.container.querySelector('#listings > :has([data-placeholder])')).not.toBeNull();
  });

  it('shows placeholders before an infinite-scroll page is requested, so that nothing shifts', async () => {
    const shell = mountResults(paged);
    await loadNext(shell, 30)();
    expect(placeholders()).toHaveLength(25);
    expect(more()).toBeNull();
    await loadNext(shell, 60)();
    expect(placeholders()).toHaveLength(0);
    expect(cards()).toHaveLength(90);
  });

  it('shows the button again when infinite scroll fails, and resumes after a click', async () => {
    const shell = mountResults({ ...paged, totalResultCount: 150 });
    await loadNext(shell, 30)();
    act(() => void shell.store.dispatch(moreStarted({ requestId: 'more' })));
    act(() => void shell.store.dispatch(moreFailed({ requestId: 'more' })));
    expect(placeholders()).toHaveLength(0);
    expect(more()).toBeVisible();
    await loadNext(shell, 60)();
    expect(more()).toBeNull();
    expect(placeholders()).toHaveLength(25);
  });

  // rows: B4-PAGING-07
  it('appends the new page below the loaded ones', async () => {
    const shell = mountResults(paged);
    await loadNext(shell, 30)();
    expect(cards().slice(28, 32)).toEqual(['Vehicle 29', 'Vehicle 30', 'Vehicle 31', 'Vehicle 32']);
  });

  it('moves the focus to the first new vehicle', async () => {
    const shell = mountResults(paged);
    const button = more();
    if (button) await userEvent.click(button);
    await loadNext(shell, 30)();
    await waitFor(() => expect(screen.getByRole('link', { name: 'Vehicle 31' })).toHaveFocus());
  });

  // rows: B8-ERR-09
  it('returns the focus to the button when the page fails to load', async () => {
    const shell = mountResults(paged);
    more()?.focus();
    await userEvent.keyboard('{Enter}');
    act(() => void shell.store.dispatch(moreStarted({ requestId: 'more' })));
    expect(screen.getByText('Loading more results...')).toHaveFocus();
    act(() => void shell.store.dispatch(moreFailed({ requestId: 'more' })));
    expect(more()).toHaveFocus();
  });

  it('leaves the focus where the shopper moved it while loading', async () => {
    const shell = mountResults(paged);
    const button = more();
    if (button) await userEvent.click(button);
    act(() => void shell.store.dispatch(moreStarted({ requestId: 'more' })));
    const link = screen.getByRole('link', { name: 'Vehicle 1' });
    link.focus();
    act(() => void shell.store.dispatch(moreFailed({ requestId: 'more' })));
    expect(link).toHaveFocus();
  });

  it('hides the button after a failed search', () => {
    mountResults({ ...paged, status: 'failed' });
    expect(more()).toBeNull();
    expect(screen.getByRole('button', { name: 'Please try again' })).toBeVisible();
  });

  it('hides the button after the last page', async () => {
    const shell = mountResults({ ...paged, totalResultCount: 60 });
    await loadNext(shell, 30)();
    expect(more()).toBeNull();
  });

  it('links from a later page to the previous one', () => {
    const criteria = { ...buildState().search.criteria, firstRecord: 60 };
    mountResults({
      ...paged,
      criteria,
      firstLoadedRecord: 60,
      url: '/cars-for-sale/all-cars?firstRecord=60',
    });
    expect(screen.getByRole('link', { name: 'See previous results' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?firstRecord=30',
    );
  });

  // rows: B8-ERR-09
  it('shows no error and keeps the grid unchanged when a page fails to load', () => {
    const shell = mountResults(paged);
    const before = cards();
    act(() => void shell.store.dispatch(moreStarted({ requestId: 'more' })));
    act(() => void shell.store.dispatch(moreFailed({ requestId: 'more' })));
    expect(cards()).toEqual(before);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(more()).toBeVisible();
  });
});
