/** @jest-environment jest-fixed-jsdom */
import { programCopyOf, priceCapText, THIRD_PARTY_WARRANTY_TEXT, orderOwners } from './CertifiedProgram.tsx';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import { describe, it, expect, beforeEach } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

const copy = programCopyOf(BRANDS.oem);

const text = copy?.points.join(' ') ?? '';

describe('copy of the certified program', () => {
  // rows: A1-CERT-01
  it('returns program copy for the manufacturer brand only', () => {
    expect(copy?.points).toHaveLength(3);
    expect(programCopyOf(BRANDS.atc)).toBeUndefined();
    expect(programCopyOf(BRANDS.kbb)).toBeUndefined();
  });

  // rows: A9-COPY-01, B9-MISC-04
  it('states the money-back guarantee', () => {
    expect(text).toContain('money-back guarantee of 14 days or 1,000 miles');
  });

  // rows: A9-COPY-02
  it('states which vehicles are admitted', () => {
    expect(text).toContain('up to six years old with under 80,000 miles');
  });

  // rows: A9-COPY-03
  it('states the inspection', () => {
    expect(text).toContain('172-point inspection');
  });

  // rows: A1-CERT-02
  it('writes condition words of the program copy in lower case', () => {
    const all = [copy?.heading, copy?.intro, text, priceCapText(BRANDS.oem, { maxPrice: ['20000'] })].join(
      ' ',
    );
    for (const label of Object.values(LISTING_TYPE_LABELS)) expect(all).not.toContain(` ${label} `);
  });

  // rows: A9-COPY-04
  it('says under $20,000 on the price-cap page only', () => {
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'] })).toContain('under $20,000');
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'], minPrice: ['1000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.oem, { maxPrice: ['15000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.atc, { maxPrice: ['20000'] })).toBeUndefined();
  });
});

// rows: B9-MISC-05
it('states the limited warranty of a third-party certification', () => {
  expect(THIRD_PARTY_WARRANTY_TEXT).toContain('limited warranty of 30-90 days');
});

beforeEach(prepareViewport);

const page = { listings: listings(1, 30), pageSizes: [30], totalResultCount: 90 };

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
