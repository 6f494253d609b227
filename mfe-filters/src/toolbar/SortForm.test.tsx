/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { formFields, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';
import { SORT_OPTIONS } from './sorting.ts';

const wallet = (isOn: boolean) => ({ session: { flags: resolveFlags(BRANDS.atc, { wallet: isOn }) } });
const select = () => screen.getByRole('combobox', { name: 'Sort By:' });

describe('sort', () => {
  // rows: B2-SORT-01, B2-TOOL-11, A3-SORT-01
  it("renders the sort as a select labelled 'Sort By:' with all options", () => {
    const labels = () =>
      within(select())
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    const allLabels = SORT_OPTIONS.map(({ label }) => label);
    const { unmount } = mountSearchSlot(toolbar, wallet(true));
    expect(labels()).toEqual(allLabels);
    unmount();
    // Without the wallet, the page shows no payments.
    mountSearchSlot(toolbar, wallet(false));
    expect(labels()).toEqual(allLabels.filter((label) => !label.startsWith('Payment')));
  });

  it('keeps the option of a sort by payment in the URL, although the page shows no payments', () => {
    const sortBy = 'monthlyPaymentASC' as const;
    mountSearchSlot(toolbar, { criteria: { sortBy }, ...wallet(false) });
    expect(select()).toHaveValue(sortBy);
  });

  // rows: B1-SCOPE-03
  it('requests the first page of the same search in the selected order', async () => {
    const filters = { makeCode: ['FORD'], zip: ['60601'] };
    const { searches } = mountSearchSlot(toolbar, {
      criteria: { filters, firstRecord: 60, sortBy: 'yearASC' },
    });
    expect(select()).toHaveValue('yearASC');
    fireEvent.change(select(), { target: { value: 'yearDESC' } });
    // The order is shown before the search repaints the page.
    expect(select()).toHaveValue('yearDESC');
    expect(searches()).toEqual([]);
    await waitFor(() => expect(searches()).toMatchObject([{ filters, sortBy: 'yearDESC', firstRecord: 0 }]));
  });

  it('repeats the other parameters in a GET form', () => {
    const { container } = mountSearchSlot(toolbar, {
      criteria: {
        filters: { zip: ['60601'], listingType: ['USED'] },
        categorySearch: 'best-deals',
        firstRecord: 30,
        sortBy: 'yearASC',
      },
    });
    const form = container.querySelector<HTMLFormElement>('form:has(select)')!;
    const [path] = (form.getAttribute('action') ?? '').split('?');
    expect(path).toMatch(/^\/cars-for-sale\//);
    expect(formFields(form)).toEqual([
      ['categorySearch', 'best-deals'],
      ['zip', '60601'],
      ['sortBy', 'yearASC'],
    ]);
  });
});
