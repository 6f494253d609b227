/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { buildListing, buildOwner, type buildState } from '@forecourt/search/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { ownerSchema } from '@forecourt/upstream/entities';
import { compareUrl } from '../compare/comparedVehicle.ts';
import { comparedIds } from '../comparePage/CompareView.tsx';
import { comparisonRows, featureRows, type ComparedListing } from '../comparePage/comparisonRows.ts';
import { failingCall, headOf, renderMainSlot } from '../testing/mountMainSlot.tsx';
import { prepareViewport } from '../testing/viewport.ts';
import compare from './compare.tsx';

const vehicle = (changes: Parameters<typeof buildListing>[0] = {}): ComparedListing => ({
  listing: CALLS.listing.response.shape.listing.parse(buildListing(changes)),
  owner: ownerSchema.parse(buildOwner()),
  features: ['Heated Seats'],
});
const rowOf = (vehicles: readonly ComparedListing[], label: string) =>
  comparisonRows(vehicles).find((row) => row.label === label);

describe('comparisonRows', () => {
  it('marks rows that differ and the best value of each', () => {
    const cheap = vehicle({ pricingDetail: { derivedPrice: 10_000 }, year: 2015 });
    const dear = vehicle({ pricingDetail: { derivedPrice: 20_000 }, year: 2022 });
    expect(rowOf([dear, cheap], 'Price')).toMatchObject({
      values: ['$20,000', '$10,000'],
      isDifferent: true,
      best: [1],
    });
    expect(rowOf([dear, cheap], 'Year')?.best).toEqual([0]);
    expect(rowOf([dear, cheap], 'Drive')).toMatchObject({ isDifferent: false, best: [] });
  });

  it('marks no best value when fewer than two are known or all are equal', () => {
    const pricedListing = vehicle({ pricingDetail: { derivedPrice: 10_000 } });
    const unpricedListing = vehicle({ pricingDetail: {} });
    expect(rowOf([pricedListing, unpricedListing], 'Price')).toMatchObject({
      values: ['$10,000', 'Call for price'],
      best: [],
    });
    expect(rowOf([pricedListing, pricedListing], 'Price')?.best).toEqual([]);
  });

  it('pays by the visitor’s terms, which may cover a price', () => {
    const at = (derivedPrice: number) =>
      vehicle({ pricingDetail: { derivedPrice, payments: { monthly: 999, term: 72, apr: 6.99 } } });
    const row = (terms?: Parameters<typeof comparisonRows>[1]) =>
      comparisonRows([at(10_000), at(2_000)], terms).find(({ label }) => label === 'Monthly payment');
    expect(row()?.values).toEqual(['$999/mo est.', '$999/mo est.']);
    expect(row({ down: 3_000, termMonths: 48, aprPercent: 0 })).toMatchObject({
      values: ['$146/mo est.', 'Covered by your down payment'],
      best: [1],
    });
  });

  it('compares deal, trim and history', () => {
    const great = vehicle({
      pricingDetail: { derivedPrice: 10_000, dealIndicator: 'Great' },
      productTiles: [{ tileType: 'HISTORY', tileSubType: 'ONE_OWNER' }],
    });
    const plain = vehicle({ pricingDetail: { derivedPrice: 12_000 } });
    expect(rowOf([great, plain], 'Deal')?.values).toEqual(['Great Price', '–']);
    expect(rowOf([great, plain], 'Trim')?.values).toEqual(['XLT', 'XLT']);
    expect(rowOf([great, plain], 'History')?.values).toEqual(['One owner', '–']);
  });

  it('compares prices against the market, and the lowest for its kind is best', () => {
    const at = (derivedPrice: number, average?: number) =>
      vehicle({ pricingDetail: { derivedPrice, ...(average && { market: { average, similar: 117 } }) } });
    expect(rowOf([at(20_000, 21_940), at(9_000, 8_400), at(15_000, 15_090), at(1_000)], 'Deal')).toEqual({
      label: 'Deal',
      values: [
        '$1,900 below market (117 similar)',
        '$600 above market (117 similar)',
        'About the market price (117 similar)',
        '–',
      ],
      isDifferent: true,
      best: [0],
    });
    expect(rowOf([at(1_000), at(2_000)], 'Deal')).toBeUndefined();
  });

  it('gives the economy of electric cars in MPGe', () => {
    const electric = vehicle({ fuelTypeGroup: 'ELE', specifications: { mpg: 118 } });
    expect(rowOf([vehicle({ specifications: { mpg: 24 } }), electric], 'Economy')).toMatchObject({
      values: ['24 mpg', '118 MPGe'],
      best: [1],
    });
  });

  it('has a row for each feature, those that not all have first', () => {
    const one = { ...vehicle(), features: ['Heated Seats', 'Tow Hitch'] };
    const other = { ...vehicle(), features: ['Heated Seats', 'Sunroof'] };
    expect(
      featureRows([one, other]).map(({ label, values, isDifferent }) => [label, ...values, isDifferent]),
    ).toEqual([
      ['Tow Hitch', '✓', '–', true],
      ['Sunroof', '–', '✓', true],
      ['Heated Seats', '✓', '✓', false],
    ]);
    expect(featureRows([{ ...vehicle(), features: [] }])).toEqual([]);
  });

  it('leaves out rows unknown for all vehicles and writes a dash where one is unknown', () => {
    const electric = vehicle({ specifications: { mileRange: 300 } });
    expect(rowOf([vehicle(), vehicle()], 'Electric range')).toBeUndefined();
    expect(rowOf([vehicle(), electric], 'Electric range')?.values).toEqual(['–', '300 mi']);
  });
});

describe('comparedIds', () => {
  // rows: A9-LIMIT-02
  it('returns at most five distinct valid ids', () => {
    expect(comparedIds(new URLSearchParams('listingIds=1,2,2, 3,4,5,6'))).toEqual(['1', '2', '3', '4', '5']);
    expect(comparedIds(new URLSearchParams('listingIds=<x>,,../1'))).toEqual([]);
  });

  it('parses the ids that compareUrl wrote', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 5 }), (ids) => {
        expect(comparedIds(new URL(compareUrl(ids), 'http://x').searchParams)).toEqual(ids);
      }),
    );
  });
});

describe('the comparison page', () => {
  const render = (query: string, session: Parameters<typeof buildState>[1] = {}) =>
    renderMainSlot(compare, {
      session: { flags: { saveListing: true }, ...session },
      page: { kind: 'compare', url: `/cars-for-sale/compare${query}` },
      calls: {
        similar: () => ({
          listings: ['1', 's'].map((id) => vehicle({ id, title: id === 's' ? 'Similar' : id }).listing),
          owners: [],
        }),
        listing: ({ id = '' }) => {
          if (id === 'gone') return failingCall('REFUSED')();
          if (id === 'down') return failingCall('UNREACHABLE')();
          return vehicle({ id, title: `Vehicle <${id}>`, features: ['HEATEDSEATS'] });
        },
      },
    });
  beforeEach(prepareViewport);

  it('shows each vehicle in a column with a link that removes it', async () => {
    const page = await render('?listingIds=1,2');
    expect(headOf(page)).toMatchObject({
      title: 'Compare Vehicle <1>, Vehicle <2>',
      canonical: '/cars-for-sale/compare',
      isIndexed: false,
    });
    page.mount();
    expect(screen.getAllByRole('columnheader')).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Vehicle <1>' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/1?clickType=compare',
    );
    expect(screen.getByRole('link', { name: 'Remove Vehicle <1>' })).toHaveAttribute(
      'href',
      '/cars-for-sale/compare?listingIds=2',
    );
  });

  it('names features, leads to each seller, and tells that three vehicles need scrolling on a phone', async () => {
    (await render('?listingIds=1,2,3')).mount();
    const row = screen.getByRole('rowheader', { name: 'Heated Seats' }).closest('tr')!;
    expect(within(row).getAllByRole('cell', { name: 'Yes' })).toHaveLength(3);
    expect(screen.getByRole('link', { name: 'Contact seller of Vehicle <1>' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/1?clickType=compare#contact',
    );
    expect(screen.getByText('Scroll sideways to see all 3 vehicles.')).toBeInTheDocument();
  });

  it('shows the number of vehicles no longer for sale and compares the rest', async () => {
    (await render('?listingIds=1,gone')).mount();
    expect(screen.getByRole('status')).toHaveTextContent('One of these vehicles is no longer for sale.');
    expect(screen.getAllByRole('columnheader')).toHaveLength(1);
  });

  it('offers similar vehicles to add while there is room', async () => {
    (await render('?listingIds=1,2')).mount();
    const offer = within(screen.getByRole('region', { name: 'Add a vehicle' }));
    expect(offer.getAllByRole('listitem')).toHaveLength(1);
    expect(offer.getByRole('link', { name: 'Add Similar' })).toHaveAttribute(
      'href',
      '/cars-for-sale/compare?listingIds=1,2,s',
    );
    cleanup();
    (await render('?listingIds=1,2,3,4,5')).mount();
    expect(screen.queryByRole('region', { name: 'Add a vehicle' })).toBeNull();
  });

  it('saves each vehicle', async () => {
    const shell = (await render('?listingIds=1,2', { savedListingIds: ['2'] })).mount();
    expect(screen.getByRole('button', { name: 'Saved Vehicle <2>' })).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(screen.getByRole('button', { name: 'Save Vehicle <1>' }));
    expect(shell.events).toContainEqual(
      expect.objectContaining({ type: 'listing.saveRequested', payload: { listingId: '1' } }),
    );
  });

  it('shares its address by the device, or copies it, and says so', async () => {
    const user = userEvent.setup();
    const copy = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    (await render('?listingIds=1,2')).mount();
    const share = screen.getByRole('button', { name: 'Share' });
    await user.click(share);
    expect(await screen.findByText('Link copied.')).toBeVisible();
    expect(copy).toHaveBeenCalledWith(window.location.href);
    const shared: unknown[] = [];
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
    await user.click(share);
    expect(shared).toEqual([{ title: document.title, url: window.location.href }]);
    Object.assign(navigator, { share: undefined });
  });

  it('links to the results when there is nothing to compare', async () => {
    (await render('')).mount();
    expect(screen.getByRole('link', { name: 'See cars for sale' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars',
    );
  });

  it('fails the comparison page when the upstream is unreachable', async () => {
    await expect(render('?listingIds=down')).rejects.toThrow('test');
  });
});
