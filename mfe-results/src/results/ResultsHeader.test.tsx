/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import type { FilterValues, SearchCriteria } from '@forecourt/search/criteria';
import { buildState } from '@forecourt/search/testing';
import { mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(prepareViewport);

describe('results heading', () => {
  // rows: B2-HEAD-01
  it("shows '{n} Matches' with the total count", () => {
    mountResults({ totalResultCount: 3421 });
    expect(screen.getByRole('heading', { level: 2, name: '3,421 Matches' })).toHaveAttribute(
      'id',
      'results-heading',
    );
  });

  it('uses the singular for one match', () => {
    mountResults({ totalResultCount: 1 });
    expect(screen.getByRole('heading', { level: 2, name: '1 Match' })).toBeVisible();
  });

  // rows: A1-CERT-02
  it("names the conditions, in sentence case on the manufacturer's brand", () => {
    const search = {
      criteria: { ...buildState().search.criteria, filters: { listingType: ['CERTIFIED', 'USED'] } },
    };
    const { unmount } = mountResults(search);
    expect(screen.getByText('Used and Certified')).toBeVisible();
    unmount();
    mountResults(search, { brand: 'oem' });
    expect(screen.getByText('Used and certified')).toBeVisible();
  });

  // rows: B2-HEAD-02
  it('links to the model reference of a single make and model while its flag is on', () => {
    const search = {
      criteria: {
        ...buildState().search.criteria,
        filters: { makeCode: ['FORD'], modelCode: ['F150'], startYear: ['2021'], endYear: ['2021'] },
      },
    };
    const { unmount } = mountResults(search);
    expect(screen.getByRole('link', { name: 'Learn more about 2021 Ford F-150' })).toHaveAttribute(
      'href',
      '#model-reference-container',
    );
    unmount();
    const ofYears = { ...search.criteria.filters, endYear: ['2022'] };
    const severalYears = mountResults({ criteria: { ...search.criteria, filters: ofYears } });
    expect(screen.getByRole('link', { name: 'Learn more about Ford F-150' })).toBeVisible();
    severalYears.unmount();
    const withoutReference = mountResults(search, { flags: { ...FLAGS, modelReference: false } });
    expect(screen.queryByRole('link', { name: /Learn more/ })).toBeNull();
    withoutReference.unmount();
    mountResults({ criteria: { ...search.criteria, filters: { makeCode: ['FORD'] } } });
    expect(screen.queryByRole('link', { name: /Learn more/ })).toBeNull();
  });
});

describe('links of the heading', () => {
  const search = (filters: FilterValues, more: Partial<SearchCriteria> = {}) => ({
    criteria: { ...buildState().search.criteria, filters, ...more },
  });
  const newF150 = { makeCode: ['FORD'], modelCode: ['F150'], listingType: ['NEW'] };

  // rows: B2-ROUTE-05
  it('links to build-your-price for one new make and model', () => {
    const { unmount } = mountResults(search(newF150));
    expect(screen.getByRole('link', { name: 'Build your price' })).toHaveAttribute(
      'href',
      '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150',
    );
    unmount();
    for (const change of [
      { listingType: ['USED'] },
      { listingType: ['NEW', 'USED'] },
      { modelCode: [] },
      { modelCode: ['F150', 'ESCAPE'] },
      { makeCode: ['FORD', 'KIA'] },
    ]) {
      const other = mountResults(search({ ...newF150, ...change }));
      expect(screen.queryByRole('link', { name: 'Build your price' })).toBeNull();
      other.unmount();
    }
  });

  // rows: B2-PROMO-04
  it("offers 'Buy Online' for the one supported make and selects its category", async () => {
    const { unmount, payloads } = mountResults(search({ makeCode: ['FORD'] }));
    const link = screen.getByRole('link', { name: 'Buy Online' });
    expect(link).toHaveAttribute('href', expect.stringContaining('categorySearch=buy-online'));
    link.focus();
    await userEvent.keyboard('{Enter}');
    // The link goes with the search that it replaces.
    expect(screen.getByRole('heading', { name: /Match$/ })).toHaveFocus();
    expect(payloads('search.changeRequested')).toMatchObject([
      { criteria: { categorySearch: 'buy-online', filters: { homeServices: ['BUY_ONLINE'] } } },
    ]);
    unmount();
    for (const makeCode of [['KIA'], ['FORD', 'KIA']]) {
      const other = mountResults(search({ makeCode }));
      expect(screen.queryByRole('link', { name: 'Buy Online' })).toBeNull();
      other.unmount();
    }
    mountResults(search({ makeCode: ['FORD'] }, { categorySearch: 'buy-online' }));
    expect(screen.queryByRole('link', { name: 'Buy Online' })).toBeNull();
  });
});
