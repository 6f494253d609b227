/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { searchStarted } from '@forecourt/search/state';
import { buildChip, buildListing, buildState } from '@forecourt/search/testing';
import { cards, listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

describe('search states', () => {
  it('keeps the old vehicles and spotlights while a changed search is loading', () => {
    const premium = [buildListing({ id: 'p1', title: 'Paid' })];
    const shell = mountResults({
      listings: listings(1, 2),
      spotlights: [{ premium, featured: [], standard: [], fourthTier: [] }],
    });
    const { criteria, url } = buildState().search;
    act(() => void shell.store.dispatch(searchStarted({ requestId: 'r2', criteria, url })));
    expect(cards()).toEqual(['Paid', 'Vehicle 1', 'Vehicle 2']);
    expect(screen.getByRole('list', { name: /Matches/ })).toHaveAttribute('aria-busy', 'true');
  });

  it('shows that a search failed, keeps the old vehicles and can retry', async () => {
    const { payloads } = mountResults({ status: 'failed', listings: listings(1, 2) });
    expect(screen.getByRole('alert')).toHaveTextContent(
      'We are sorry. There was an issue with your last search.',
    );
    expect(cards()).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Please try again' }));
    expect(payloads('search.retryRequested')).toEqual([{}]);
  });

  it('says that the shopper is offline and searches again when the network is back', () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { payloads } = mountResults({ status: 'failed', listings: listings(1, 2) });
    expect(screen.getByRole('alert')).toHaveTextContent(
      'You’re offline. We’ll search again when you’re back online.These vehicles are from your previous search.',
    );
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(payloads('search.retryRequested')).toEqual([{}]);
    onLine.mockRestore();
  });

  it('retries nothing when the network comes back after a successful search', () => {
    const { payloads } = mountResults({ listings: listings(1, 2) });
    act(() => void window.dispatchEvent(new Event('online')));
    expect(payloads('search.retryRequested')).toEqual([]);
  });

  // rows: A4-FLOW-02, A8-ERR-10
  it('asks to update the filters for an empty result', () => {
    mountResults({ listings: [], totalResultCount: 0 });
    expect(screen.getByText('Update filter criteria to see more results')).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });

  // rows: A4-FLOW-03
  it('asks to update the filters for invalid parameters', () => {
    mountResults({ status: 'invalid' });
    expect(screen.getByText('Update filter criteria to see more results')).toBeVisible();
    expect(screen.queryByRole('article')).toBeNull();
  });

  it('offers the single filters whose removal brings results', async () => {
    const criteria = {
      ...buildState().search.criteria,
      filters: { makeCode: ['FORD'], maxPrice: ['9000'] },
    };
    const suggestions = {
      ...buildState().search.suggestions,
      nearMisses: [{ name: 'priceRange', count: 1240 }],
    };
    const { payloads } = mountResults({ listings: [], totalResultCount: 0, criteria, suggestions });
    const link = screen.getByRole('link', { name: 'Remove “Price” (1,240 matches)' });
    expect(link).toHaveAttribute('href', expect.stringContaining('makeCode=FORD'));
    await userEvent.click(link);
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { filters: { makeCode: ['FORD'] } }, cause: 'nearMiss:priceRange' },
    ]);
  });

  it('names the filters that prevent results, offers to clear all and moves the focus', async () => {
    const search = buildState().search;
    const { payloads } = mountResults({
      listings: [],
      totalResultCount: 0,
      criteria: { ...search.criteria, filters: { extColorSimple: ['PURPLE'], zip: ['60601'] } },
      chips: [buildChip('extColorSimple', 'PURPLE', 'Purple')],
      suggestions: {
        ...search.suggestions,
        nearMisses: [
          { name: 'extColorSimple', count: 1 },
          { name: 'location', count: 12 },
        ],
      },
    });
    expect(screen.getByRole('link', { name: 'Remove “Purple” (1 match)' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Search anywhere (12 matches)' })).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { filters: {} }, cause: 'clearFilters' },
    ]);
    expect(screen.getByRole('heading', { name: '0 Matches' })).toHaveFocus();
  });

  // rows: B8-ERR-07, B8-ERR-08, B2-ALERT-01
  it('names the expired vehicle when make and model are known', () => {
    const criteria = { ...buildState().search.criteria, expiredListing: true };
    const { unmount } = mountResults({
      criteria: { ...criteria, filters: { makeCode: ['FORD'], modelCode: ['F150'] } },
    });
    const lead = screen.getByText("We're sorry, the Ford F-150 you were looking for is no longer available.");
    expect(lead).toBeVisible();
    expect(lead.nextElementSibling?.textContent).toBe('Here are vehicles you may be interested in.');
    unmount();
    for (const filters of [{}, { makeCode: ['FORD'] }]) {
      const breadcrumbs = [{ key: 'make' as const, label: 'Ford', href: '/cars-for-sale/all/ford' }];
      const unnamed = mountResults({ criteria: { ...criteria, filters }, breadcrumbs });
      expect(
        screen.getByText("We're sorry, the vehicle you were looking for is no longer available."),
      ).toBeVisible();
      unnamed.unmount();
    }
    mountResults();
    expect(screen.queryByText(/^We're sorry, the/)).toBeNull();
  });

  it('says what the page changed in an empty search, with a link back', () => {
    mountResults({
      adjustment: {
        text: 'No results for “hnda”. Showing results for Honda.',
        undo: { label: 'Search for “hnda” instead', href: '/cars-for-sale/all-cars?keyword=%22hnda%22' },
      },
    });
    const link = within(screen.getByText(/^No results for/)).getByRole('link');
    expect(link).toHaveTextContent('Search for “hnda” instead');
    expect(link).toHaveAttribute('href', '/cars-for-sale/all-cars?keyword=%22hnda%22');
  });

  it('offers no link back to a search that finds nothing', () => {
    mountResults({ adjustment: { text: 'Trucks near Atlanta. We can’t filter by “no rust”.' } });
    const alert = screen.getByText('Trucks near Atlanta. We can’t filter by “no rust”.');
    expect(within(alert).queryByRole('link')).toBeNull();
  });

  it('shows a notice as a status message', () => {
    mountResults({ notice: 'Bookmark not found' });
    expect(screen.getByRole('status')).toHaveTextContent('Bookmark not found');
  });
});
