/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, FLAGS, resolveFlags } from '@forecourt/shared-contracts/brands';
import { buildListing, buildOwner, buildState } from '@forecourt/shared-contracts/testing';
import { orderOwners } from '../results/CertifiedProgram.tsx';
import { listings, mountResults, noSpotlights } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const flags = { ...FLAGS, ads: false };
const tiles = (container: HTMLElement) =>
  [...container.querySelectorAll<HTMLElement>('#listings > * > * > [data-tile]')].map(
    ({ dataset }) => dataset['tile'],
  );
const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

describe('the grid', () => {
  // rows: B2-GRID-02, B1-OFFER-04
  it('places spotlights and boosts between the matches', () => {
    const spotlights = [{ ...noSpotlights, premium: [buildListing({ id: 'p1', title: 'Paid' })] }];
    const { container } = mountResults({ ...page, spotlights, boost: [buildListing({ id: 'b1' })] });
    expect(tiles(container).slice(0, 8)).toEqual([
      'premium',
      'listing',
      'listing',
      'listing',
      'listing',
      'listing',
      'boost',
      'listing',
    ]);
  });

  // rows: B1-SCOPE-01
  it('shows the same grid to signed-in visitors', () => {
    const anonymous = mountResults(page);
    const shown = tiles(anonymous.container);
    anonymous.unmount();
    expect(tiles(mountResults(page, { signedIn: true }).container)).toEqual(shown);
    expect(shown).toHaveLength(30);
  });

  it('has an outlet for the email capture after a few results', () => {
    const { container } = mountResults({ listings: listings(1, 3), totalResultCount: 3 });
    expect(tiles(container)).toEqual(['listing', 'listing', 'listing', 'capture']);
    expect(container.querySelector('[data-outlet=email-capture]')).not.toBeNull();
  });

  // rows: B2-BOTTOM-05
  it('shows the email-subscribe block below few results and not below many', async () => {
    const outlets = async (totalResultCount: number) => {
      const { container, waitForLateParts, unmount } = mountResults({ ...page, totalResultCount });
      await waitForLateParts();
      const count = container.querySelectorAll('[data-outlet=email-capture]').length;
      unmount();
      return count;
    };
    expect(await outlets(25)).toBe(1);
    expect(await outlets(26)).toBe(0);
  });
});

describe('the promo card', () => {
  const suggestion = { name: 'Under 30,000 Miles', count: 12, codes: { mileage: ['30000'] } };
  const suggestions = { ...buildState().search.suggestions, filters: [suggestion] };

  // rows: B2-GRID-04, B2-PROMO-01
  it('places the promo card at 14 and applies its filter on click', async () => {
    const { criteria } = buildState().search;
    const search = { ...criteria, filters: { zip: ['60601'] }, firstRecord: 30 };
    const { container, payloads } = mountResults({ ...page, suggestions, criteria: search });
    expect(tiles(container).indexOf('promo')).toBe(14);
    const promo = within(screen.getByRole('region', { name: 'Suggestion' }));
    expect(promo.getByText('12 of these vehicles fit.')).toBeVisible();
    const link = promo.getByRole('link', { name: 'Show only Under 30,000 Miles' });
    expect(link).toHaveAttribute('href', expect.stringContaining('mileage=30000'));
    await userEvent.click(link);
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { filters: { zip: ['60601'], mileage: ['30000'] }, firstRecord: 0 }, cause: 'promo' },
    ]);
  });

  // rows: B9-GRID-08
  it('shows no promo card with 14 listings or for a filter that is already set', () => {
    const few = mountResults({
      listings: listings(1, 14),
      pageSizes: [14],
      totalResultCount: 14,
      suggestions,
    });
    expect(tiles(few.container)).not.toContain('promo');
    few.unmount();
    const criteria = { ...buildState().search.criteria, filters: { mileage: ['30000'] } };
    expect(tiles(mountResults({ ...page, suggestions, criteria }).container)).not.toContain('promo');
  });
});

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
    const wallet = within(screen.getByRole('region', { name: 'My wallet' }));
    expect(wallet.getByRole('heading', { name: '$600 per month' })).toBeVisible();
    expect(wallet.getByText('covers a vehicle priced around $39,113.')).toBeVisible();
    expect(wallet.getByText('Example: 10% down, 72 months, 6.99% APR.')).toBeVisible();
    await userEvent.click(wallet.getByRole('button', { name: 'Set my budget' }));
    expect(payloads('dialog.requested')).toEqual([{ name: 'wallet' }]);
    expect(payloads('page.tracked')).toEqual([{ kind: 'click', name: 'wallet', tile: 'wallet' }]);
  });

  it("shows the visitor's budget in the wallet card, with payments of vehicles that fit it", () => {
    const { bus } = mountResults({ listings: pricedListings, totalResultCount: 3 }, { flags });
    const wallet = { monthlyBudget: 350, downPayment: 5_000, termMonths: 50, aprPercent: 0, tradeInValue: 0 };
    act(() => bus.emit('wallet.changed', { wallet }, 'leads'));
    const tile = within(screen.getByRole('region', { name: 'My wallet' }));
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

describe('the carousel', () => {
  // rows: A9-EAGER-02
  it('shows the premium spotlights in one named row and loads the first three pictures eagerly', () => {
    const premium = ['p1', 'p2', 'p3', 'p4'].map((id) => buildListing({ id, title: `Paid ${id}` }));
    const { container } = mountResults(
      { ...page, spotlights: [{ ...noSpotlights, premium }] },
      { flags: { ...flags, wallet: false, spotlightCarousel: true } },
    );
    expect(tiles(container).indexOf('carousel')).toBe(3);
    const row = within(screen.getByRole('region', { name: 'Sponsored vehicles' }));
    expect(row.getAllByRole('article')).toHaveLength(4);
    expect(row.getAllByText('Sponsored')).toHaveLength(4);
    const pictures = row.getAllByRole('img').filter((image) => image.hasAttribute('loading'));
    const loading = pictures.map((picture) => picture.getAttribute('loading'));
    expect(loading).toEqual(['eager', 'eager', 'eager', 'lazy']);
  });
});

describe('the certified program', () => {
  const oem = { brand: 'oem' as const, flags: { ...resolveFlags(BRANDS.oem), ads: false } };

  // rows: A1-CERT-01
  it("shows certified-program copy on the manufacturer's page only", () => {
    const program = mountResults(page, oem);
    expect(screen.getByText('About certified used vehicles')).toBeVisible();
    expect(screen.getByText(/^Factory-trained technicians inspect each/)).toBeVisible();
    expect(screen.getByText(/172-point inspection/)).toBeInTheDocument();
    program.unmount();
    mountResults(page);
    expect(screen.queryByText('About certified used vehicles')).toBeNull();
  });

  // rows: A9-COPY-01, A9-COPY-02, A9-COPY-03, A9-COPY-04
  it("shows the program's terms, and the price cap of a search below it", () => {
    const criteria = { ...buildState().search.criteria, filters: { maxPrice: ['20000'] } };
    mountResults({ ...page, criteria }, oem);
    const program = within(screen.getByRole('region', { name: 'About certified used vehicles' }));
    for (const terms of [
      /guarantee of 14 days or 1,000 miles,/,
      /up to six years old with under 80,000 miles /,
      / a 172-point inspection /,
      / under \$20,000\.$/,
    ])
      expect(program.getByText(terms)).toBeVisible();
  });

  // rows: A6-BRAND-01
  it('lists certified-program dealers by distance, then by name; other brands keep their order', () => {
    const owners = [
      buildOwner({ id: 'far', name: 'Far', distanceFromSearch: 40 }),
      buildOwner({ id: 'b', name: 'Bay', distanceFromSearch: 5 }),
      buildOwner({ id: 'a', name: 'Ann', distanceFromSearch: 5 }),
      buildOwner({ id: 'none', name: 'None', distanceFromSearch: undefined }),
    ];
    const order = (brand: 'oem' | 'atc') => orderOwners(owners, brand).map(({ id }) => id);
    expect(order('oem')).toEqual(['a', 'b', 'far', 'none']);
    expect(order('atc')).toEqual(['far', 'b', 'a', 'none']);
    const shown = {
      listings: owners.map(({ id }) => buildListing({ id: `l${id}`, ownerId: id })),
      owners: Object.fromEntries(owners.map((owner) => [owner.id, owner])),
    };
    mountResults(shown, oem);
    const block = within(screen.getByRole('region', { name: 'Dealers of these vehicles' }));
    expect(block.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Ann',
      'Bay',
      'Far',
      'None',
    ]);
  });

  // rows: B9-MISC-04, B9-MISC-05
  it.each([
    ['vehicleExchange', 'true', /money-back guarantee of 14 days or 1,000 miles/],
    ['listingType', '3P_CERT', /limited warranty of 30-90 days/],
  ])('states what %s=%s includes, only in a search for it', (param, value, text) => {
    const { criteria } = buildState().search;
    const { unmount } = mountResults({ criteria: { ...criteria, filters: { [param]: [value] } } });
    expect(screen.getByText(text)).toBeVisible();
    unmount();
    mountResults({ criteria });
    expect(screen.queryByText(text)).toBeNull();
  });
});
