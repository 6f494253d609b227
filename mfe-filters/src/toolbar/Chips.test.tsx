/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';

const mount = (parts: Partial<SearchCriteria> = {}, options: Parameters<typeof mountSearchSlot>[1] = {}) => {
  const criteria = buildCriteria(parts);
  return mountSearchSlot(toolbar, {
    ...options,
    criteria,
    search: { chips: buildChips(criteria), ...options.search },
  });
};

const flags = (off: Parameters<typeof resolveFlags>[1]) => ({
  session: { flags: resolveFlags(BRANDS.atc, off) },
});

const chips = () => within(screen.getByRole('list', { name: 'Selected filters' })).getAllByRole('link');

const tab = (name: string) => screen.getByRole('link', { name });

describe('chips', () => {
  const heading = document.createElement('h2');
  heading.id = 'results-heading';
  afterEach(() => heading.remove());

  // rows: B2-TOOL-06, B2-TOOL-10
  it('shows the selected filters in order, Clear Filters last', () => {
    mount({ filters: { makeCode: ['FORD', 'HONDA'], zip: ['60601'] } });
    expect(chips().map((link) => link.textContent)).toEqual([
      'Remove 60601',
      'Remove Ford',
      'Remove Honda',
      'Clear Filters',
    ]);
    expect(chips()[1]).toHaveAttribute('href', '/cars-for-sale/all-cars?makeCode=HONDA&zip=60601');
  });

  it('removes a chip immediately and focuses the next one', async () => {
    const { filters } = mount({ filters: { makeCode: ['FORD', 'HONDA'] } });
    await userEvent.click(chips()[0]!);
    expect(filters()).toEqual({ makeCode: ['HONDA'] });
    expect(chips().map((link) => link.textContent)).toEqual(['Remove Honda', 'Clear Filters']);
    expect(chips()[0]).toHaveFocus();
  });

  // rows: A4-SAVE-15
  it('keeps the chips while results load', async () => {
    const { store } = mount({ filters: { makeCode: ['FORD', 'HONDA'] } });
    await userEvent.click(chips()[0]!);
    expect(store.getState().search.status).toBe('loading');
    expect(chips()[0]).toHaveTextContent('Honda');
  });

  it('focuses the results heading when the last chip is removed', async () => {
    document.body.append(heading);
    mount({ filters: { makeCode: ['FORD'] } });
    await userEvent.click(chips()[0]!);
    expect(heading).toHaveFocus();
    expect(screen.queryByText('Clear Filters')).not.toBeInTheDocument();
  });

  it('focuses the results heading when removing a make also removes its models', async () => {
    document.body.append(heading);
    mount({ filters: { makeCode: ['FORD'], modelCode: ['F150'] } });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Ford' }));
    expect(heading).toHaveFocus();
  });

  it('focuses the previous chip when the last one of several is removed', async () => {
    mount({ filters: { makeCode: ['FORD'], maxPrice: ['9000'], doorCode: ['DOORS1'] } });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Doors 1' }));
    expect(screen.getByRole('link', { name: 'Remove Ford' })).toHaveFocus();
  });

  // rows: B4-CAT-04
  it('leaves the category whose value is removed', async () => {
    const { searches } = mount({
      categorySearch: 'by-owner',
      filters: { sellerType: ['p'], makeCode: ['FORD'] },
    });
    await userEvent.click(screen.getByRole('link', { name: 'Remove Private Seller' }));
    expect(searches()[0]).toEqual(buildCriteria({ filters: { makeCode: ['FORD'] } }));
    expect(tab('All Results')).toHaveAttribute('aria-current', 'true');
  });

  // rows: B4-CLEAR-01, B4-CLEAR-02, B4-CLEAR-04
  it('clears all chips with one search that keeps the radius and returns to All Results', async () => {
    const { searches } = mount({
      categorySearch: 'certified',
      firstRecord: 60,
      filters: {
        listingType: ['CERTIFIED'],
        makeCode: ['FORD'],
        maxPrice: ['9000'],
        zip: ['60601'],
        searchRadius: ['50'],
      },
    });
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(searches()).toEqual([buildCriteria({ filters: { searchRadius: ['50'] } })]);
    expect(tab('All Results')).toHaveAttribute('aria-current', 'true');
  });

  // rows: B2-TOOL-10
  it('shows no Clear Filters for a distance alone', () => {
    const alone = mount({ filters: { searchRadius: ['25'] } });
    // Without a place it has no effect, and no chip.
    expect(screen.queryByRole('list', { name: 'Selected filters' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Clear Filters' })).toBeNull();
    alone.unmount();
    mount({ filters: { searchRadius: ['25'], makeCode: ['FORD'] } });
    expect(screen.getByRole('link', { name: 'Clear Filters' })).toBeInTheDocument();
  });

  // rows: B4-CLEAR-03
  it('keeps the commercial experience unless the flag clears it', async () => {
    const parts = { experience: 'commercial', filters: { makeCode: ['FORD'] } } as const;
    const defaultToolbar = mount(parts);
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(defaultToolbar.searches()[0]?.experience).toBe('commercial');
    defaultToolbar.unmount();
    const experienceAlone = mount({ experience: 'commercial' });
    expect(chips()).toHaveLength(1);
    expect(screen.queryByRole('link', { name: 'Clear Filters' })).not.toBeInTheDocument();
    experienceAlone.unmount();
    const clearingToolbar = mount(parts, flags({ clearExperience: true }));
    await userEvent.click(screen.getByRole('link', { name: 'Clear Filters' }));
    expect(clearingToolbar.searches()[0]).not.toHaveProperty('experience');
  });

  // rows: B4-ALPHA-11
  it('shows a chip for the sponsor whose inventory is viewed, and removes it', async () => {
    const sponsored = { isSponsorship: true, showcaseOwnerId: 'd7', psid: 'p', siomid: 's' };
    const { searches, unmount } = mount(sponsored);
    await userEvent.click(screen.getByRole('link', { name: 'Remove Viewing Ace Ford inventory' }));
    expect(searches()[0]).toEqual(buildCriteria());
    unmount();
    mount({ filters: { makeCode: ['FORD'] } });
    expect(screen.queryByText(/^Viewing/)).not.toBeInTheDocument();
  });

  it('shows no chip for a sponsorship without an owner, which shows all dealers', () => {
    mount({ isSponsorship: true });
    expect(screen.queryByText(/Viewing/)).not.toBeInTheDocument();
  });
});
