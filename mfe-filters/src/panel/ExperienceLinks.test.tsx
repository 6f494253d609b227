/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import filters from '../slots/filters.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';

describe('links to other modes', () => {
  // rows: B2-PROMO-02, B2-PROMO-03
  it.each([
    ['Shop Commercial Vehicles', 'commercial'],
    ['Shop Best Deals', 'best-deals'],
  ])('%s links to and searches with experience=%s', async (name, experience) => {
    const { searches } = mountSearchSlot(filters, { criteria: { filters: { makeCode: ['FORD'] } } });
    const link = screen.getByRole('link', { name });
    expect(link).toHaveAttribute('href', `/cars-for-sale/all-cars?experience=${experience}&makeCode=FORD`);
    await userEvent.click(link);
    expect(searches()[0]).toMatchObject({ experience, filters: { makeCode: ['FORD'] } });
    expect(screen.queryByRole('link', { name })).not.toBeInTheDocument();
  });
});
