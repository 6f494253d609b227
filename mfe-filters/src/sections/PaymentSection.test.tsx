/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';

const open = () => userEvent.click(screen.getByText('Monthly Payment'));

describe('payment filter', () => {
  const radio = (name: RegExp) => screen.getByRole('radio', { name });
  const wallet = {
    monthlyBudget: 600,
    downPayment: 2_000,
    termMonths: 60,
    aprPercent: 5,
    tradeInValue: 1_000,
  };

  it('searches by the default terms, with the counts of the response', async () => {
    const { events } = mountSearchSlot(filters);
    await open();
    expect(screen.getByText(/10% down and 72 months at 6.99% APR/)).toBeVisible();
    await userEvent.click(radio(/\$400\/mo or less.*12,000/));
    expect(events.at(-1)).toMatchObject({
      type: 'search.changeRequested',
      payload: { criteria: { filters: { monthlyPayment: ['400'] } }, cause: 'filter:monthlyPayment' },
    });
  });

  it("searches by the wallet's terms, without counts that were made by other terms", async () => {
    const { events } = mountSearchSlot(filters, { session: { wallet } });
    await open();
    expect(screen.getByText(/\$3,000 down and 60 months at 5% APR/)).toBeVisible();
    expect(screen.queryByRole('radio', { name: /12,000/ })).toBeNull();
    await userEvent.click(radio(/\$400\/mo or less/));
    expect(events.at(-1)).toMatchObject({
      payload: { criteria: { filters: { monthlyPayment: ['400-3000-60-5'] } } },
    });
  });

  it('keeps the terms of the search until the visitor asks for their own', async () => {
    const criteria = buildCriteria({ filters: { monthlyPayment: ['400'] } });
    const { events } = mountSearchSlot(filters, { criteria, session: { wallet } });
    expect(radio(/\$400\/mo or less/)).toBeChecked();
    expect(screen.getByText(/10% down/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use my terms' }));
    expect(events.at(-1)).toMatchObject({
      payload: { criteria: { filters: { monthlyPayment: ['400-3000-60-5'] } } },
    });
  });

  it('takes any amount', async () => {
    const { events } = mountSearchSlot(filters);
    await open();
    await userEvent.type(screen.getByRole('textbox', { name: 'Or up to ($ a month)' }), '275{Enter}');
    expect(events.at(-1)).toMatchObject({
      payload: { criteria: { filters: { monthlyPayment: ['275'] } } },
    });
  });
});
