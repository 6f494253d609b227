/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import type { FilterValues } from '@forecourt/search/criteria';
import filters from '../slots/filters.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { orderedBounds, newCarYears } from './YearSection.tsx';

const mount = (selectedFilters: FilterValues) =>
  mountSearchSlot(filters, { criteria: { filters: selectedFilters }, session: { today: '2024-03-05' } });
const from = () => screen.getByRole('textbox', { name: 'From Year' });
const to = () => screen.getByRole('textbox', { name: 'To Year' });

describe('year section', () => {
  // rows: A3-FILTER-07
  it('applies a year range', async () => {
    const { filters: currentFilters } = mount({ startYear: ['2016'] });
    await userEvent.clear(from());
    await userEvent.type(from(), '2018{Enter}');
    await userEvent.type(to(), '2020{Enter}');
    expect(currentFilters()).toEqual({ startYear: ['2018'], endYear: ['2020'] });
  });

  it('restores the year after an invalid one and swaps a reversed range', async () => {
    const { filters: currentFilters, searches } = mount({ startYear: ['2016'] });
    await userEvent.clear(from());
    await userEvent.type(from(), '20{Enter}');
    expect(from()).toHaveValue('2016');
    expect(searches()).toHaveLength(0);
    await userEvent.type(to(), '2012{Enter}');
    expect(currentFilters()).toEqual({ startYear: ['2012'], endYear: ['2016'] });
  });

  // rows: A3-FILTER-07
  it('shows the applied years after reversed years were swapped', async () => {
    const { filters: currentFilters } = mount({ startYear: ['2018'], endYear: ['2018'] });
    await userEvent.clear(from());
    await userEvent.type(from(), '2022{Enter}');
    expect(currentFilters()).toEqual({ startYear: ['2018'], endYear: ['2022'] });
    expect(from()).toHaveValue('2018');
    expect(to()).toHaveValue('2022');
  });

  it('starts no search when the typed year is already applied', async () => {
    const { searches } = mount({ startYear: ['2018'] });
    await userEvent.clear(from());
    await userEvent.type(from(), '2018{Enter}');
    expect(searches()).toHaveLength(0);
  });

  it('orders any two years', () => {
    const year = fc.option(fc.integer({ min: 1900, max: 2099 }), { nil: undefined });
    fc.assert(
      fc.property(year, year, (min, max) => {
        const ordered = orderedBounds({ min, max });
        expect([ordered.min, ordered.max].sort()).toEqual([min, max].sort());
        expect((ordered.min ?? 0) <= (ordered.max ?? 9999)).toBe(true);
      }),
    );
  });

  // rows: A5-RULE-08, A5-RULE-09, A9-LIMIT-11
  it('offers Any and the last four model years when only new cars are selected', async () => {
    const { filters: currentFilters } = mount({ listingType: ['NEW'] });
    await userEvent.click(screen.getByText('Year', { selector: 'summary' }));
    const select = screen.getByRole('combobox', { name: 'Year' });
    const names = within(select)
      .getAllByRole('option')
      .map((option) => option.textContent);
    expect(names).toEqual(['Any', '2025', '2024', '2023', '2022']);
    await userEvent.selectOptions(select, '2023');
    expect(currentFilters()).toEqual({ listingType: ['NEW'], startYear: ['2023'], endYear: ['2023'] });
    expect(select).toHaveValue('2023');
    expect(within(select).getAllByRole('option')).toHaveLength(5);
    await userEvent.selectOptions(select, 'Any');
    expect(select).toHaveValue('');
    expect(currentFilters()).toEqual({ listingType: ['NEW'] });
  });

  // rows: A5-RULE-08
  it.each([[[]], [['USED']], [['NEW', 'USED']]])(
    'offers a range of years for the conditions %j',
    (listingType) => {
      mount({ listingType, startYear: ['2016'] });
      expect(from()).toHaveValue('2016');
      expect(screen.queryByRole('combobox', { name: 'Year' })).not.toBeInTheDocument();
    },
  );

  it('shows selected years that are not offered for new cars', async () => {
    mount({ listingType: ['NEW'], startYear: ['2016'], endYear: ['2018'] });
    expect(screen.getByRole('combobox', { name: 'Year' })).toHaveDisplayValue(/2016.+2018/);
    expect(screen.getByRole('option', { name: /2016/ })).toBeDisabled();
  });
});

describe('years of new cars', () => {
  // rows: A5-RULE-09, A9-LIMIT-11
  it('offers four model years of new cars, starting two years back', () => {
    expect(newCarYears(2024)).toEqual([2025, 2024, 2023, 2022]);
  });
});
