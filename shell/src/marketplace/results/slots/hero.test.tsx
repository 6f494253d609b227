/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { searchFailed, searchStarted, type SearchState } from '@forecourt/search/state';
import { buildState, mountInTestShell } from '@forecourt/search/testing';
import { act, screen, within } from '@testing-library/react';
import hero, { backToResultsUrl } from './hero.tsx';

const { criteria } = buildState().search;
const texts = { heading: 'Used Ford Cars for Sale', title: '', description: '', canonicalUrl: '' };
const breadcrumbs: SearchState['breadcrumbs'] = [
  { key: 'home', label: 'Home', href: '/' },
  { key: 'page', label: 'Cars for Sale', href: '/cars-for-sale/all-cars' },
  { key: 'make', label: 'Ford', href: '/cars-for-sale/all/ford' },
];
const show = (search: Partial<SearchState>) =>
  mountInTestShell(hero, { state: buildState({ texts, breadcrumbs, ...search }) });

class FakeSizes {
  static report: (size: { width: number; height: number }) => void = () => {};
  constructor(receive: (entries: { contentRect: object }[]) => void) {
    FakeSizes.report = (contentRect) => receive([{ contentRect }]);
  }
  observe() {}
  disconnect() {}
}
beforeEach(() => {
  Object.assign(globalThis, { ResizeObserver: FakeSizes });
});

describe('hero', () => {
  // rows: B2-HERO-01
  it('shows the breadcrumbs as a labeled navigation and marks the last one as current', () => {
    show({});
    const trail = screen.getByRole('navigation', { name: 'Breadcrumb' });
    const links = within(within(trail).getByRole('list')).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/'],
      ['Cars for Sale', '/cars-for-sale/all-cars'],
      ['Ford', '/cars-for-sale/all/ford'],
    ]);
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page']);
  });

  // rows: B2-HERO-02
  it("shows the search's heading as the only h1", () => {
    show({});
    expect(screen.getAllByRole('heading')).toHaveLength(1);
    const heading = screen.getByRole('heading', { level: 1 });
    expect(heading).toHaveTextContent('Used Ford Cars for Sale');
    // Scripts may focus it; Tab passes over it.
    expect(heading).toHaveAttribute('tabindex', '-1');
  });

  // rows: B2-HERO-04
  it("links back from a sponsor's inventory to the same search", () => {
    const filters = { makeCode: ['FORD'] };
    show({
      criteria: { ...criteria, filters, isSponsorship: true, showcaseOwnerId: 'd1', psid: 'p', siomid: 's' },
    });
    expect(screen.getByRole('link', { name: 'Back to Results' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?makeCode=FORD',
    );
  });

  // rows: B2-HERO-04
  it('shows no back link for an ordinary search', () => {
    show({});
    expect(screen.queryByRole('link', { name: 'Back to Results' })).toBeNull();
  });

  it('keeps its height when a response arrives, until the next search or a resize', () => {
    const { store } = show({});
    const title = screen.getByRole('heading', { level: 1 });
    const search = (requestId: string) =>
      act(() => void store.dispatch(searchStarted({ requestId, criteria, url: '/' })));
    const answer = (requestId: string) =>
      act(() => void store.dispatch(searchFailed({ requestId, status: 'failed' })));
    act(() => FakeSizes.report({ width: 300, height: 48 }));
    search('a');
    expect(title.style.minBlockSize).toBe('');
    answer('a');
    expect(title.style.minBlockSize).toBe('48px');
    search('b');
    expect(title.style.minBlockSize).toBe('');
    answer('b');
    act(() => FakeSizes.report({ width: 600, height: 48 }));
    expect(title.style.minBlockSize).toBe('');
  });

  // rows: B2-HERO-04
  it('links back to the first page of the results', () => {
    for (const part of [{ showcaseOwnerId: 'd1' }, { isSponsorship: true }])
      expect(backToResultsUrl({ ...criteria, ...part, firstRecord: 30 })).toBe('/cars-for-sale/all-cars');
  });
});
