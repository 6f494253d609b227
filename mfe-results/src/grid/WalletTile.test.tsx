/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, FLAGS, resolveFlags } from '@forecourt/search/brands';
import { buildListing } from '@forecourt/search/testing';
import { listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const flags = { ...FLAGS, ads: false };

const tiles = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')].map(
    ({ dataset }) => dataset['tile'],
  );

const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

describe('the wallet card', () => {
  const pricedListings = [
    buildListing({ id: '1', title: 'Cheap', pricingDetail: { derivedPrice: 20_000 } }),
    buildListing({ id: '2', title: 'Dear', pricingDetail: { derivedPrice: 90_000 } }),
    buildListing({ id: '3', title: 'Unknown', pricingDetail: {} }),
  ];

  // rows: B2-GRID-05, B9-MISC-03
  it('places the wallet card at 3 and shows $600 per month as an example', async () => {
    const { container, payloads } = mountResults(page, { flags });
    expect(tiles(container).indexOf('wallet')).toBe(3);
    const wallet = within(screen.getByRole('region', { name: 'Your budget' }));
    expect(wallet.getByRole('heading', { name: '$600 per month' })).toBeVisible();
    expect(wallet.getByText('buys a car up to about $39,113.')).toBeVisible();
    expect(wallet.getByText('Example: 10% down, 72 months, 6.99% APR.')).toBeVisible();
    await userEvent.click(wallet.getByRole('button', { name: 'Set my budget' }));
    expect(payloads('dialog.requested')).toEqual([{ name: 'wallet' }]);
    expect(payloads('page.tracked')).toEqual([{ kind: 'click', name: 'wallet', tile: 'wallet' }]);
  });

  it("shows the visitor's budget in the wallet card, with payments of vehicles that fit it", () => {
    const { bus } = mountResults({ listings: pricedListings, totalResultCount: 3 }, { flags });
    const wallet = { monthlyBudget: 350, downPayment: 5_000, termMonths: 50, aprPercent: 0, tradeInValue: 0 };
    act(() => bus.emit('wallet.changed', { wallet }, 'leads'));
    const tile = within(screen.getByRole('region', { name: 'Your budget' }));
    expect(tile.getByRole('heading', { name: '$350 per month' })).toBeVisible();
    const payments = within(tile.getByRole('list', { name: 'Estimated payments' }));
    expect(payments.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['$300/moCheap']);
  });

  it('shows no wallet card among vehicles beyond the example budget', () => {
    const dear = listings(1, 9).map((one) => ({ ...one, pricingDetail: { derivedPrice: 150_000 } }));
    const { container } = mountResults({ listings: dear, pageSizes: [9], totalResultCount: 9 }, { flags });
    expect(tiles(container)).not.toContain('wallet');
  });

  // rows: B9-GRID-13
  it('gives payment snapshots a width of 90 percent on small screens and 40 otherwise', () => {
    mountResults({ listings: pricedListings, totalResultCount: 3 }, { flags });
    const style = screen.getByRole('list', { name: 'Estimated payments' }).getAttribute('style');
    expect(style).toContain('--snapshot-small: 90%');
    expect(style).toContain('--snapshot-otherwise: 40%');
  });

  // rows: B6-FLAG-02
  it('shows no wallet card while its flag is off', () => {
    const { container } = mountResults(page, { flags: { ...flags, wallet: false } });
    expect(tiles(container)).not.toContain('wallet');
  });

  // rows: B6-FLAG-12
  it('shows no wallet card on a brand without a wallet', () => {
    const oem = { brand: 'oem' as const, flags: { ...resolveFlags(BRANDS.oem), ads: false } };
    expect(tiles(mountResults(page, oem).container)).not.toContain('wallet');
  });
});
