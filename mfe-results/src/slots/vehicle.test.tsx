/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { sessionChanged } from '@forecourt/search/state';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import type { TestCalls } from '@forecourt/slots/testing';
import { type CallParams, CALLS } from '@forecourt/upstream/calls';
import { ownerSchema } from '@forecourt/upstream/entities';
import { failingCall, headOf, renderMainSlot, type MainSlotRequest } from '../testing/mountMainSlot.tsx';
import { prepareViewport } from '../testing/viewport.ts';
import vehicle from './vehicle.tsx';

const PATH = '/cars-for-sale/vehicle/1001';
const SEARCH = '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601';
const slugs = {
  makes: [
    {
      code: 'FORD',
      name: 'Ford',
      slug: 'ford',
      models: [{ code: 'F150', name: 'F-150', slug: 'f150', trims: [] }],
    },
  ],
};

function render(
  changes: Parameters<typeof buildListing>[0] = {},
  {
    url = PATH,
    referrer = null,
    calls = {},
    session = {},
    owner = {},
  }: {
    url?: string;
    referrer?: string | null;
    calls?: TestCalls;
    session?: MainSlotRequest['session'];
    owner?: Parameters<typeof buildOwner>[0];
  } = {},
) {
  const listing = CALLS.listing.response.shape.listing.parse(buildListing(changes));
  return renderMainSlot(vehicle, {
    page: { kind: 'vehicle', url, referrer },
    session: { flags: { ...FLAGS, saveListing: true, reportListing: true }, ...session },
    calls: {
      listing: () => ({ listing, owner: ownerSchema.parse(buildOwner(owner)) }),
      similar: () => ({ listings: [], owners: [] }),
      filterPreview: () => ({ totalResultCount: 0, filters: [] }),
      slugReference: () => slugs,
      vehicleModel: () => null,
      listingsByVin: () => ({ listings: [], owners: [] }),
      ...calls,
    },
  });
}

const similarTo = (listings: readonly ReturnType<typeof buildListing>[]) => ({
  similar: () => CALLS.similar.response.parse({ listings, owners: [] }),
});
const trail = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
const graphOf = (data: object | undefined) => (data as { '@graph': Record<string, unknown>[] })['@graph'];

beforeEach(prepareViewport);

describe('the vehicle page', () => {
  it("loads the listing of the URL and uses it for the page's head", async () => {
    const listing = jest.fn((_params: CallParams) => ({
      listing: CALLS.listing.response.shape.listing.parse(buildListing()),
      owner: ownerSchema.parse(buildOwner()),
    }));
    const page = await render({}, { url: `${PATH}?clickType=listing`, calls: { listing } });
    expect(listing.mock.calls.map(([params]) => params)).toEqual([{ id: '1001' }]);
    expect(headOf(page)).toEqual({
      title: '2021 Ford F-150 XLT - $32,995, 31,250 miles, Chicago, IL',
      description: '2021 Ford F-150 XLT for $32,995, 31,250 miles, Chicago, IL, sold by Lakeside Ford',
      canonical: PATH,
      isIndexed: true,
      heroImage: '/pictures/trucks/blue/front.svg',
      shareImage: '/pictures/share/vehicles/1001.jpg',
      returnPath: PATH,
    });
    page.mount();
    expect(screen.getByRole('heading', { level: 1, name: '2021 Ford F-150 XLT' })).toBeVisible();
  });

  it("shows the seller's text as plain text below exactly one h1", async () => {
    const { html, mount } = await render({ title: '<b>2021</b> Ford "F"', features: ['</script><i>x'] });
    expect(html).not.toMatch(/<b>2021|<i>x/);
    mount();
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual([
      '<b>2021</b> Ford "F"',
    ]);
  });

  it('names the other sellers of the same VIN, the lowest price first, and none when they are unknown', async () => {
    const listings = [
      buildListing(),
      buildListing({ id: '7', ownerId: 'north', pricingDetail: { derivedPrice: 33_500 } }),
      buildListing({ id: '8', ownerId: 'west', pricingDetail: { derivedPrice: 31_900 } }),
    ];
    const owners = [
      buildOwner(),
      buildOwner({ id: 'north', ownerName: 'North Ford' }),
      buildOwner({ id: 'west', ownerName: 'West Ford' }),
    ];
    const listingsByVin = jest.fn((_: CallParams) =>
      CALLS.listingsByVin.response.parse({ listings, owners }),
    );
    const page = await render({}, { calls: { listingsByVin } });
    expect(listingsByVin.mock.calls).toEqual([
      [{ collapseFilters: 'true', vin: buildListing().vin, channel: 'ATC' }],
    ]);
    page.mount();
    const offers = within(screen.getByRole('region', { name: 'Also offered by' }));
    expect(offers.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['West Ford', '/cars-for-sale/vehicle/8'],
      ['North Ford', '/cars-for-sale/vehicle/7'],
    ]);
    expect(offers.getByText('$31,900 · Chicago, IL')).toBeVisible();
    const failing = await render({}, { calls: { listingsByVin: failingCall('TIMED_OUT') } });
    expect(failing.html).not.toContain('Also offered by');
    const unknownVin = await render({ vin: '0ABCDEF0123456789' }, { calls: { listingsByVin } });
    expect(unknownVin.html).not.toContain('Also offered by');
  });

  // rows: B7-CERT-04
  it("opens the program of a certified vehicle by its link text: its product's, or else its make's", async () => {
    const program = (makeCode: string, productId: string, linkText: string) => ({
      ...{ makeCode, productId, linkText, cpoTile: `/tiles/${productId}.svg` },
      ...{ makeLabel: makeCode, heading: linkText, content: [] },
    });
    const certifiedContent = () => [
      program('KIA', 'KIA_CERTIFIED', 'About Kia Certified'),
      program('FORD', 'FORD_GOLD', 'About Ford Gold'),
      program('FORD', 'FORD_BLUE', 'About Ford Blue'),
    ];
    const ofProduct = (
      await render({ certifiedProduct: 'FORD_BLUE' }, { calls: { certifiedContent } })
    ).mount();
    const link = screen.getByRole('button', { name: 'About Ford Blue' });
    expect(link.querySelector('img')).toHaveAttribute('src', '/tiles/FORD_BLUE.svg');
    fireEvent.click(link);
    expect(ofProduct.events.map(({ type, payload }) => [type, payload])).toEqual([
      ['dialog.requested', { name: 'certifiedProgram', productId: 'FORD_BLUE' }],
    ]);
    const ofMake = await render({ certifiedProduct: 'OTHER' }, { calls: { certifiedContent } });
    expect(ofMake.html).toContain('About Ford Gold');
    const failing = await render(
      { certifiedProduct: 'FORD_BLUE' },
      { calls: { certifiedContent: failingCall('TIMED_OUT') } },
    );
    expect(failing.html).not.toContain('About Ford');
    const notCertified = await render({}, { calls: { certifiedContent } });
    expect(notCertified.html).not.toContain('About Ford');
  });

  it('emits intents for the dialogs of other remotes, and links to the phone', async () => {
    const { events } = (await render({ phone: '312-555-0100' })).mount();
    fireEvent.click(screen.getByRole('button', { name: 'Email Seller' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    fireEvent.click(screen.getByRole('button', { name: 'Report' }));
    expect(events.map(({ type, payload }) => [type, payload])).toEqual([
      ['lead.requested', { listingId: '1001', kind: 'email' }],
      ['listing.saveRequested', { listingId: '1001' }],
      ['listing.shareRequested', { listingId: '1001' }],
      ['listing.reportRequested', { listingId: '1001' }],
    ]);
    expect(screen.getByRole('link', { name: 'Call 312-555-0100' })).toHaveAttribute(
      'href',
      'tel:+13125550100',
    );
  });

  it('shows offers first for a private seller, and never links to a script', async () => {
    const owner = { privateSeller: true, website: { href: 'javascript:alert(1)' } };
    const { events } = (await render({}, { owner })).mount();
    expect(screen.queryByRole('button', { name: 'Email Seller' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Visit Website' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Make Offer' }));
    expect(events.map(({ payload }) => payload)).toEqual([{ listingId: '1001', kind: 'offer' }]);
  });

  it("shows the save button in the session's state, before and after a save", async () => {
    const { store } = (await render()).mount();
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-pressed', 'false');
    act(() => void store.dispatch(sessionChanged({ savedListingIds: ['1001'] })));
    expect(screen.getByRole('button', { name: 'Saved' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('offers the 360 view only for a vehicle that has one', async () => {
    const pageWithoutSpin = (await render()).mount();
    expect(screen.queryByRole('button', { name: /360/ })).toBeNull();
    pageWithoutSpin.unmount();
    const { events } = (await render({ fyuseId: 'f1' })).mount();
    fireEvent.click(screen.getByRole('button', { name: '360° view' }));
    expect(events.map(({ type, payload }) => [type, payload])).toEqual([
      ['listing.spinRequested', { listingId: '1001', title: '2021 Ford F-150 XLT' }],
    ]);
  });

  it('describes the car, its offer and its breadcrumbs to search engines', async () => {
    const [car, trail] = graphOf((await render()).structuredData);
    expect(car).toMatchObject({
      '@type': 'Car',
      name: '2021 Ford F-150 XLT',
      url: PATH,
      offers: { '@type': 'Offer', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
    expect(trail).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { position: 1, name: 'Home', item: '/' },
        { position: 2, name: 'Cars for Sale', item: '/cars-for-sale/all-cars' },
        { position: 3, name: 'Ford F-150', item: '/cars-for-sale/all/ford/f150' },
        { position: 4, name: '2021 Ford F-150 XLT', item: PATH },
      ],
    });
  });

  it('describes every picture, colors, body, engine and transmission to search engines', async () => {
    const sources = ['/a.svg', '/b.svg'].map((src) => ({ src, alt: src }));
    const { structuredData } = await render({
      images: { primary: 0, sources },
      engine: { name: '3.5L V6' },
      specifications: { transmission: 'AUT' },
      color: { exteriorColorSimple: 'DARK_RED', interiorColorSimple: 'BLACK' },
    });
    expect(graphOf(structuredData)[0]).toMatchObject({
      image: ['/a.svg', '/b.svg'],
      bodyType: 'Truck',
      color: 'Dark red',
      vehicleInteriorColor: 'Black',
      vehicleEngine: { '@type': 'EngineSpecification', name: '3.5L V6' },
      vehicleTransmission: 'Automatic',
    });
  });

  it('has every property that search engines require of a vehicle listing', async () => {
    const { structuredData } = await render({ driveType: 'RWD', trim: { code: 'F150|XLT', name: 'XLT' } });
    expect(graphOf(structuredData)[0]).toMatchObject({
      name: '2021 Ford F-150 XLT',
      description: '2021 Ford F-150 XLT for $32,995, 31,250 miles, Chicago, IL, sold by Lakeside Ford',
      image: [expect.any(String)],
      brand: { '@type': 'Brand', name: 'Ford' },
      model: 'F-150',
      vehicleModelDate: '2021',
      vehicleIdentificationNumber: buildListing().vin,
      vehicleConfiguration: 'XLT',
      itemCondition: 'https://schema.org/UsedCondition',
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: 31_250, unitCode: 'SMI' },
      driveWheelConfiguration: 'https://schema.org/RearWheelDriveConfiguration',
      vehicleEngine: { fuelType: 'Gasoline' },
      offers: {
        price: 32_995,
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/UsedCondition',
      },
    });
  });

  it('names no VIN when the feed of the vehicle has none', async () => {
    const page = await render({ vin: '0A1B2C3D4E5F60718' });
    page.mount();
    expect(JSON.stringify(page.structuredData)).not.toContain('vehicleIdentificationNumber');
    expect(screen.queryByText('VIN')).toBeNull();
  });

  it('shows the trail that search engines read', async () => {
    (await render()).mount();
    expect(
      trail()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Home', 'Cars for Sale', 'Ford F-150', '2021 Ford F-150 XLT']);
    expect(trail().getByText('2021 Ford F-150 XLT')).toHaveAttribute('aria-current', 'page');
  });

  it('describes the vehicle in sentences from what is known', async () => {
    const about = () => screen.getByRole('region', { name: 'About this vehicle' }).textContent;
    const full = (
      await render({
        engine: { name: '3.5L V6' },
        specifications: { transmission: 'AUT' },
        driveType: 'AWD4WD',
        color: { exteriorColorSimple: 'BLUE', interiorColorSimple: 'BLACK' },
        productTiles: [{ tileType: 'HISTORY', tileSubType: 'ONE_OWNER' }],
      })
    ).mount();
    expect(about()).toContain('This 2021 Ford F-150 XLT is for sale in Chicago, IL by Lakeside Ford.');
    expect(about()).toContain('It has a blue exterior and black interior.');
    expect(about()).toContain('It has been driven 31,250 miles.');
    expect(about()).toContain(
      'It comes with a 3.5L V6 engine, an automatic transmission, and all-wheel drive.',
    );
    expect(about()).toContain('One owner.');
    full.unmount();
    (await render({ color: {}, engine: {}, specifications: {}, driveType: undefined })).mount();
    expect(about()).not.toMatch(/exterior|comes with|history/);
  });

  it('measures the distance from the search that the shopper came from, and links the address to a map', async () => {
    const listing = jest.fn((_params: CallParams) => ({
      listing: CALLS.listing.response.shape.listing.parse(buildListing()),
      owner: ownerSchema.parse(buildOwner({ distanceFromSearch: 12.4 })),
    }));
    (await render({}, { referrer: SEARCH, calls: { listing } })).mount();
    expect(listing.mock.calls.map(([params]) => params)).toEqual([{ id: '1001', zip: '60601' }]);
    const seller = within(screen.getByRole('region', { name: 'Seller' }));
    expect(seller.getByText(/12 mi away/)).toBeVisible();
    expect(seller.getByRole('link', { name: /^View on a map/ })).toHaveAttribute(
      'href',
      expect.stringMatching(/^https:\/\/www\.openstreetmap\.org\/search\?query=.*Chicago/),
    );
  });

  it('tells the price history: the last reduction, or none since it was listed', async () => {
    // Without similar listings there is no comparison, and no heading that promises one.
    const market = () => within(screen.getByRole('region', { name: 'Price history' }));
    const reduced = (
      await render({
        isReducedPrice: true,
        pricingDetail: { derivedPrice: 20_000, salePrice: 20_000, previousPrice: 21_500 },
      })
    ).mount();
    expect(market().getByText('Lowered by $1,500, from $21,500 to $20,000.')).toBeVisible();
    reduced.unmount();
    (await render({ daysListed: 9, pricingDetail: { derivedPrice: 20_000, salePrice: 20_000 } })).mount();
    expect(market().getByText('No price changes since it was listed 9 days ago.')).toBeVisible();
    expect(screen.queryByText('How this price compares')).toBeNull();
  });

  it('names features by their labels, however late the optional calls are, and leaves out unknown codes', async () => {
    const features = ['DUALCLIMATE', 'KEYLESSENTRY', 'THIRDROW', 'X9'];
    const calls = { filterPreview: () => Promise.reject(new Error('late')) };
    (await render({ features }, { calls })).mount();
    const list = within(screen.getByRole('region', { name: 'Features' })).getAllByRole('listitem');
    expect(list.map(({ textContent }) => textContent)).toEqual([
      'Dual Zone Climate Control',
      'Keyless Entry',
      'Third Row Seat',
    ]);
  });

  it('has beside the price what shoppers ask first, and the deal in dollars with its sample', async () => {
    const page = await render(
      {
        seats: 5,
        truckCab: { code: 'CREWCAB', name: 'Crew Cab' },
        truckBed: { code: 'SHORT', name: 'Short Bed (under 6 ft)' },
        driveType: 'AWD4WD',
        specifications: { mpg: 22 },
        productTiles: [
          { tileType: 'HISTORY', tileSubType: 'ONE_OWNER' },
          { tileType: 'HISTORY', tileSubType: 'NO_ACCIDENTS' },
        ],
        pricingDetail: {
          derivedPrice: 32_995,
          dealIndicator: 'Great',
          market: { average: 36_900, similar: 359 },
        },
      },
      { owner: { distanceFromSearch: 6.2, rating: { value: 4.8, count: 312 } } },
    );
    page.mount();
    const facts = within(screen.getByRole('list', { name: 'Key facts' })).getAllByRole('listitem');
    expect(facts.map(({ textContent }) => textContent)).toEqual([
      ...['31,250 mi', 'One owner', 'No accidents reported', '22 mpg', 'AWD/4WD', '5 seats', '6 mi away'],
    ]);
    expect(page.html.replaceAll(/<[^>]*>/g, '')).toContain('$3,900 below market (359 similar)');
    expect(screen.getByRole('link', { name: 'Lakeside Ford' })).toHaveAttribute('href', '#seller');
    expect(screen.getByRole('img', { name: 'Rated 4.8 out of 5 by 312 shoppers' })).toBeVisible();
    const specifications = screen.getByRole('region', { name: 'Specifications' }).textContent;
    expect(specifications).toMatch(/CabCrew Cab.*BedShort Bed.*Seats5/);
  });

  it('adds the vehicle to the comparison and then leads there', async () => {
    sessionStorage.setItem(
      'compare',
      JSON.stringify([{ id: '7', title: 'Another', href: '/cars-for-sale/vehicle/7', rows: {} }]),
    );
    (await render()).mount();
    expect(screen.queryByRole('link', { name: /^Compare/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Compare 2021 Ford F-150 XLT' }));
    expect(screen.getByRole('button', { name: /^Added to Compare/ })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Compare 2 vehicles' })).toHaveAttribute(
      'href',
      '/cars-for-sale/compare?listingIds=7,1001',
    );
  });

  // rows: B6-FLAG-01
  it('offers no comparison while its flag is off', async () => {
    sessionStorage.setItem(
      'compare',
      JSON.stringify([{ id: '7', title: 'x', href: '/cars-for-sale', rows: {} }]),
    );
    (await render({}, { session: { flags: { ...FLAGS, compare: false } } })).mount();
    expect(screen.getByRole('button', { name: 'Share' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Compare/ })).toBeNull();
    expect(screen.queryByRole('link', { name: /^Compare/ })).toBeNull();
  });

  // rows: B6-FLAG-13
  it.each([
    ['shows', true],
    ['hides', false],
  ])('%s the comparison on small screens when their flag is %s', async (_, compareSmallScreen) => {
    (await render({}, { session: { flags: { ...FLAGS, compareSmallScreen } } })).mount();
    const control = screen.getByRole('button', { name: /^Compare/ });
    expect(control.classList.contains('largeOnly')).toBe(!compareSmallScreen);
  });

  it('shows neither payment nor offer without a price', async () => {
    const page = await render({ pricingDetail: {} });
    page.mount();
    expect(screen.getByText('Call for price')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Payment' })).toBeNull();
    expect(JSON.stringify(page.structuredData)).not.toContain('Offer');
  });

  it('shows similar vehicles but never the vehicle itself', async () => {
    const calls = similarTo([buildListing(), buildListing({ id: '1002', title: '2020 Ford F-150 XL' })]);
    (await render({}, { calls })).mount();
    const similar = within(screen.getByRole('region', { name: 'Similar vehicles' }));
    expect(similar.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      '2020 Ford F-150 XL',
    ]);
  });

  it('says so where a similar vehicle has no picture', async () => {
    const calls = similarTo([buildListing({ id: '1002', title: '2020 Ford F-150 XL', images: undefined })]);
    (await render({}, { calls })).mount();
    const similar = within(screen.getByRole('region', { name: 'Similar vehicles' }));
    expect(similar.getByText('No picture yet')).toBeVisible();
    expect(similar.queryByRole('presentation')).toBeNull();
  });

  it.each([
    ['fail', failingCall('TIMED_OUT')],
    ['do not answer', () => new Promise<never>(() => {})],
  ])('omits the blocks whose calls %s', async (_, failing) => {
    const calls = { similar: failing, filterPreview: failing, slugReference: failing };
    (await render({}, { calls })).mount();
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Similar vehicles' })).toBeNull();
    // The shell redirects this to the normalized URL.
    expect(trail().getByRole('link', { name: 'Ford F-150' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?makeCode=FORD&modelCode=F150',
    );
  });

  it('links to the search of its model when makes and models take as long as the listing', async () => {
    const later = <T,>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 600, value));
    const listing = {
      listing: CALLS.listing.response.shape.listing.parse(buildListing()),
      owner: ownerSchema.parse(buildOwner()),
    };
    (
      await render({}, { calls: { listing: () => later(listing), slugReference: () => later(slugs) } })
    ).mount();
    expect(trail().getByRole('link', { name: 'Ford F-150' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all/ford/f150',
    );
  });

  it('lists the changes of the price, the newest first', async () => {
    const pricingDetail = {
      salePrice: 18_500,
      previousPrice: 19_000,
      history: [
        { on: '2026-09-01', price: 18_000 },
        { on: '2026-10-01', price: 19_000 },
        { on: '2026-11-01', price: 18_500 },
      ],
    };
    (await render({ pricingDetail, isReducedPrice: true })).mount();
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'DatePriceChange',
      'November 1, 2026$18,500−$500',
      'October 1, 2026$19,000+$1,000',
      'September 1, 2026$18,000First price',
    ]);
  });

  it('compares the price with the market', async () => {
    const filters = [
      {
        name: 'priceRange',
        label: 'Price',
        collapsed: true,
        value: '',
        options: [],
        histogram: { min: 20_000, max: 50_000, step: 10_000, counts: [2, 4, 4] },
      },
    ];
    const calls = { filterPreview: () => ({ totalResultCount: 10, filters }) };
    (await render({ daysListed: 1, viewCount: 4 }, { calls })).mount();
    const market = within(screen.getByRole('region', { name: 'How this price compares' }));
    expect(
      market.getByRole('img', { name: 'Comparable listings from $20,000 to $50,000, this one marked' }),
    ).toBeVisible();
    expect(market.getByText('60%')).toBeVisible();
    expect(market.getByText('Below market')).toBeVisible();
    fireEvent.click(market.getByText('How we compare'));
    expect(market.getByText(/all 10 used and certified Ford F-150s from 2020 to 2022/)).toBeVisible();
    expect(market.getByText('Listed 1 day ago · 4 views this week')).toBeVisible();
  });
});

describe('the payment calculator', () => {
  const pricedListing = { pricingDetail: { derivedPrice: 20_000, salePrice: 20_000 } };
  const monthly = () => document.querySelector('[data-payment="monthly"]')?.textContent;

  it('uses the payment terms of the URL, so that the form works without JavaScript', async () => {
    const { html } = await render(pricedListing, { url: `${PATH}?down=0&term=60&apr=0` });
    expect(html).toContain('data-payment="monthly">$333</strong>');
    expect(html).toMatch(new RegExp(`<form [^>]*action="${PATH}#payment" method="get"`));
  });

  it('replaces invalid payment terms with the defaults', async () => {
    (await render(pricedListing, { url: `${PATH}?down=-5&term=7&apr=<x>` })).mount();
    expect(screen.getByRole('textbox', { name: 'Down payment ($)' })).toHaveValue('2000');
    expect(screen.getByRole('combobox', { name: 'Term' })).toHaveValue('72');
  });

  it('repaints the payment as the shopper types', async () => {
    (await render(pricedListing, { url: `${PATH}?down=0&term=60&apr=0` })).mount();
    expect(monthly()).toBe('$333');
    fireEvent.change(screen.getByRole('combobox', { name: 'Term' }), { target: { value: '36' } });
    expect(monthly()).toBe('$556');
    fireEvent.change(screen.getByRole('textbox', { name: 'Down payment ($)' }), {
      target: { value: '2000' },
    });
    expect(monthly()).toBe('$500');
  });
});

describe('the gallery', () => {
  const sources = ['/a.svg', '/b.svg', '/c.svg'].map((src) => ({ src, alt: `View ${src}` }));
  const currentPicture = () => document.querySelector('[data-picture]')?.textContent;
  const mountGallery = async () => {
    const scrollTo = jest.fn();
    Object.assign(HTMLElement.prototype, { scrollTo });
    (await render({ images: { primary: 0, sources } })).mount();
    return scrollTo;
  };

  it('moves the gallery by buttons, thumbnails and keys', async () => {
    const scrollTo = await mountGallery();
    const stage = screen.getByRole('list', { name: 'Pictures, scroll sideways' });
    expect(screen.getByRole('button', { name: 'Previous picture' })).toHaveAttribute('aria-disabled', 'true');
    fireEvent.click(screen.getByRole('button', { name: 'Next picture' }));
    expect(currentPicture()).toBe('2');
    fireEvent.click(screen.getByRole('link', { name: 'Picture 3 of 3' }));
    expect(currentPicture()).toBe('3');
    expect(screen.getByRole('link', { name: 'Picture 3 of 3' })).toHaveAttribute('aria-current', 'true');
    expect(screen.getByRole('button', { name: 'Next picture' })).toHaveAttribute('aria-disabled', 'true');
    fireEvent.keyDown(stage, { key: 'Home' });
    expect(currentPicture()).toBe('1');
    expect(scrollTo.mock.calls).toHaveLength(3);
  });

  it('keeps the focus on the button at the last picture, which then does nothing', async () => {
    const scrollTo = await mountGallery();
    const next = screen.getByRole('button', { name: 'Next picture' });
    for (const picture of ['2', '3', '3']) {
      await userEvent.click(next);
      expect(currentPicture()).toBe(picture);
      expect(next).toHaveFocus();
    }
    expect(scrollTo).toHaveBeenCalledTimes(2);
  });

  it('updates the gallery position after a manual scroll', async () => {
    await mountGallery();
    const stage = screen.getByRole('list', { name: 'Pictures, scroll sideways' });
    Object.defineProperties(stage, { clientWidth: { value: 400 }, scrollLeft: { value: 800 } });
    fireEvent.wheel(stage);
    act(() => void stage.dispatchEvent(new Event('scrollend')));
    expect(currentPicture()).toBe('3');
  });

  describe('in full screen', () => {
    // jsdom has no modal dialogs.
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true;
      },
      close(this: HTMLDialogElement) {
        this.open = false;
      },
    });
    const viewer = () => screen.findByRole('dialog', { name: /full screen$/ });
    const picture = async () =>
      within(await viewer())
        .getByRole('img')
        .getAttribute('alt');
    const press = async (key: string) => fireEvent.keyDown(await viewer(), { key });
    const open = () => fireEvent.click(screen.getByRole('button', { name: 'Full screen' }));

    it('steps by keys and buttons, and the gallery continues at the last picture', async () => {
      await mountGallery();
      open();
      expect(await picture()).toBe('View /a.svg');
      await press('ArrowRight');
      expect(await picture()).toBe('View /b.svg');
      fireEvent.click(screen.getByRole('button', { name: 'Next full-screen picture' }));
      expect(screen.getByText('3 of 3')).toBeVisible();
      await press('Home');
      await press('End');
      fireEvent.click(screen.getByRole('button', { name: 'Close full screen' }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(currentPicture()).toBe('3');
    });

    it('zooms by key and button, and each picture opens unzoomed', async () => {
      await mountGallery();
      open();
      await press('+');
      expect(screen.getByRole('button', { name: 'Zoom out' })).toHaveAttribute('aria-pressed', 'true');
      // Arrow keys pan a zoomed picture.
      await press('ArrowRight');
      expect(await picture()).toBe('View /a.svg');
      await press('End');
      expect(screen.getByRole('button', { name: 'Zoom in' })).toBeVisible();
      fireEvent(await viewer(), new Event('cancel', { cancelable: true }));
      expect(screen.queryByRole('dialog')).toBeNull();
    });

    it('steps by a swipe and zooms by a click on the picture', async () => {
      await mountGallery();
      open();
      const swipe = async (from: number, to: number) => {
        const image = within(await viewer()).getByRole('img');
        // jsdom's pointer events have no position.
        const point = (type: string, clientX: number) =>
          fireEvent(image, new MouseEvent(type, { bubbles: true, clientX, clientY: 10, buttons: 1 }));
        point('pointerdown', from);
        point('pointermove', to);
        point('pointerup', to);
      };
      await swipe(300, 100);
      expect(await picture()).toBe('View /b.svg');
      await swipe(100, 300);
      expect(await picture()).toBe('View /a.svg');
      await swipe(100, 100);
      expect(screen.getByRole('button', { name: 'Zoom out' })).toBeVisible();
    });
  });

  it('shows a message when there are no pictures', async () => {
    (await render({ images: { primary: 0, sources: [] } })).mount();
    expect(screen.getByText('The seller hasn’t added pictures yet.')).toBeVisible();
  });
});

describe('the way back to the search', () => {
  it('links back to the search that the shopper came from', async () => {
    const count = jest.fn((_: CallParams) => ({ totalResultCount: 766 }));
    const known = (await render({}, { referrer: SEARCH, calls: { count } })).mount();
    expect(screen.getByRole('link', { name: '‹ Back to 766 results' })).toHaveAttribute('href', SEARCH);
    expect(count.mock.calls[0]?.[0]).toMatchObject({ zip: '60601', searchRadius: '50', makeCode: 'FORD' });
    known.unmount();
    (await render({}, { referrer: SEARCH, calls: { count: failingCall('TIMED_OUT') } })).mount();
    expect(screen.getByRole('link', { name: '‹ Back to results' })).toHaveAttribute('href', SEARCH);
  });

  it('passes the search on to the next vehicle, the payment form and the sign-in', async () => {
    const page = await render(
      { pricingDetail: { derivedPrice: 20_000, salePrice: 20_000 } },
      {
        url: `${PATH}?search=${encodeURIComponent(SEARCH)}`,
        calls: similarTo([buildListing({ id: '1002' })]),
      },
    );
    page.mount();
    expect(screen.getByRole('link', { name: '‹ Back to results' })).toHaveAttribute('href', SEARCH);
    const searchParam = encodeURIComponent(SEARCH);
    const similar = within(screen.getByRole('region', { name: 'Similar vehicles' }));
    expect(similar.getByRole('link')).toHaveAttribute(
      'href',
      `/cars-for-sale/vehicle/1002?clickType=similar&search=${searchParam}`,
    );
    expect(document.querySelector('input[name="search"]')).toHaveValue(SEARCH);
    expect(headOf(page).returnPath).toBe(`${PATH}?search=${searchParam}`);
  });

  it.each([
    ['a page that is not a search', { referrer: '/cars-for-sale/vehicle/7' }],
    ['another site', { url: `${PATH}?search=${encodeURIComponent('//evil.example/cars-for-sale')}` }],
    ['an unknown page', { referrer: null }],
  ])('links to all vehicles of the model when the shopper came from %s', async (_, options) => {
    (await render({}, options)).mount();
    expect(trail().getByRole('link', { name: 'Ford F-150' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all/ford/f150',
    );
  });
});

describe('a vehicle that is no longer for sale', () => {
  const renderGone = (options: Parameters<typeof render>[1] = {}) =>
    render({}, { ...options, calls: { listing: failingCall('REFUSED'), ...options.calls } });

  // rows: B2-ALERT-01
  it('redirects permanently to the results with the alert', async () => {
    const vehicleModel = jest.fn((_params: CallParams) => ({ makeCode: 'FORD', modelCode: 'F150' }));
    const { outcome } = await renderGone({ url: '/cars-for-sale/vehicle/%00', calls: { vehicleModel } });
    expect(outcome).toEqual({ redirect: '/cars-for-sale/all/ford/f150?expiredListing=1', status: 301 });
    expect(vehicleModel.mock.calls.map(([params]) => params)).toEqual([{ id: '\0' }]);
  });

  it('answers 410 with what it was and similar vehicles near the previous search when it is gone for more than 30 days', async () => {
    const goneFor = (removedDays: number) =>
      renderGone({
        referrer: '/cars-for-sale/all-cars?searchRadius=50&zip=60601',
        calls: {
          vehicleModel: () => ({
            ...{ makeCode: 'FORD', modelCode: 'F150', removedDays },
            removed: {
              title: '2016 Ford F-150 XLT',
              image: { src: '/pictures/old.svg', alt: '2016 Ford F-150, front' },
              ...{ price: 12_495, mileage: 27_876 },
            },
          }),
          ...similarTo([buildListing({ id: '2', title: '2022 Ford F-150' })]),
        },
      });
    expect((await goneFor(30)).outcome).toMatchObject({ status: 301 });
    const page = await goneFor(31);
    expect(headOf(page)).toMatchObject({ status: 410, isIndexed: false });
    expect(page.structuredData).toBeUndefined();
    page.mount();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
      '2016 Ford F-150 XLT is no longer for sale.',
    );
    expect(screen.getByRole('img', { name: '2016 Ford F-150, front' })).toBeVisible();
    expect(screen.getByText('27,876 mi · last listed for $12,495')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See all of this model' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all/ford/f150?searchRadius=50&zip=60601',
    );
    expect(screen.getByRole('link', { name: '2022 Ford F-150' })).toBeVisible();
  });

  it('is not found, with a way back, when the id never existed', async () => {
    const referrer = '/cars-for-sale/all/ford?zip=60601';
    const page = await renderGone({ referrer, calls: { vehicleModel: () => null } });
    expect(headOf(page)).toMatchObject({ status: 404, isIndexed: false });
    page.mount();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('We couldn’t find this vehicle.');
    expect(screen.getByRole('link', { name: 'Back to results' })).toHaveAttribute('href', referrer);
  });

  it('redirects back to the previous search for the same model', async () => {
    const { outcome } = await renderGone({
      referrer: '/cars-for-sale/all/ford/f150?maxPrice=20000&zip=60601',
      calls: { vehicleModel: () => ({ makeCode: 'FORD', modelCode: 'F150' }) },
    });
    expect(outcome).toMatchObject({
      redirect: '/cars-for-sale/all/ford/f150?expiredListing=1&maxPrice=20000&zip=60601',
    });
  });

  // rows: B8-ERR-07
  it.each([
    ['another search', '/cars-for-sale/all/ford?maxPrice=20000&zip=60601', '&zip=60601'],
    ['elsewhere', null, ''],
  ])(
    'redirects to the model near the previous place when the shopper came from %s, so that the alert names the model',
    async (_, referrer, place) => {
      const { outcome } = await renderGone({
        referrer,
        calls: { vehicleModel: () => ({ makeCode: 'FORD', modelCode: 'F150' }) },
      });
      expect(outcome).toMatchObject({ redirect: `/cars-for-sale/all/ford/f150?expiredListing=1${place}` });
    },
  );

  it('fails the vehicle page when the upstream is unreachable', async () => {
    await expect(render({}, { calls: { listing: failingCall('UNREACHABLE') } })).rejects.toThrow('test');
  });
});
