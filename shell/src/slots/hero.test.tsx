/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import { screen, within } from '@testing-library/react';
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

describe('hero', () => {
  it('shows the trail in order as a labelled navigation and marks the last crumb [B2-HERO-01]', () => {
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

  it('shows one heading of the first level with the text of the search [B2-HERO-02]', () => {
    show({});
    expect(screen.getAllByRole('heading')).toHaveLength(1);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Used Ford Cars for Sale');
  });

  it("leads back from a sponsor's inventory to the same search [B2-HERO-04]", () => {
    const filters = { makeCode: ['FORD'] };
    show({
      criteria: { ...criteria, filters, isSponsorship: true, showcaseOwnerId: 'd1', psid: 'p', siomid: 's' },
    });
    expect(screen.getByRole('link', { name: 'Back to Results' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?makeCode=FORD',
    );
  });

  it('shows no way back in an ordinary search', () => {
    show({});
    expect(screen.queryByRole('link', { name: 'Back to Results' })).toBeNull();
  });

  it('goes back to the first page of the results', () => {
    expect(backToResultsUrl({ ...criteria, showcaseOwnerId: 'd1', firstRecord: 30 })).toBe(
      '/cars-for-sale/all-cars',
    );
  });
});
