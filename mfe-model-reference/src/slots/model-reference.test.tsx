/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { CALLS, type CallParams } from '@forecourt/shared-contracts/calls';
import type { FilterValues } from '@forecourt/shared-contracts/search';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import { searchStarted, type Chip, type RootState } from '@forecourt/shared-contracts/store';
import { buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import type { PricingData } from '../pricing/load.ts';
import modelReference from './model-reference.tsx';

const chip = (param: 'makeCode' | 'modelCode', value: string, label: string): Chip => ({
  key: `${param}:${value}`,
  label,
  kind: 'value',
  section: param,
  param,
  params: [param],
  values: [value],
});
const F150: FilterValues = { makeCode: ['FORD'], modelCode: ['F150'] };

const stateOf = (filters: FilterValues, flags = { modelReference: true }): RootState =>
  buildState(
    {
      criteria: { filters, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] },
      chips: [chip('makeCode', 'FORD', 'Ford'), chip('modelCode', 'F150', 'F-150')],
    },
    { flags },
  );

const year = (value: string, avgPrice: number) => ({
  value,
  label: value,
  link: `/cars-for-sale/all/${value}/ford/f150`,
  count: 1200,
  avgPrice,
  startingPrice: avgPrice - 8_000,
  maxPrice: avgPrice + 20_000,
});
const data: PricingData = {
  makeCode: 'FORD',
  modelCode: 'F150',
  modelYearsData: [year('2021', 33_000), year('2022', 38_500)],
  trimsData: [{ value: 'F150|XLT', label: 'XLT', link: '/cars-for-sale/all/ford/f150/xlt', count: 1 }],
  greatPriceListingCount: 412,
  area: null,
};

const section = () => screen.queryByRole('region', { name: 'About the Ford F-150' });

describe('the model-reference section', () => {
  it('has a Pricing tab for a make and model with data [B2-MR-01] [B1-OFFER-07]', () => {
    const shell = mountInTestShell(modelReference, { state: stateOf(F150), data });
    expect(within(section()!).getByRole('tab', { name: 'Pricing' })).toHaveAttribute('aria-selected', 'true');
    expect(section()).toHaveAttribute('id', 'model-reference-container');
    shell.unmount();
    mountInTestShell(modelReference, { state: stateOf({}), data: null });
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('is at least 500 px high [B9-HEIGHT-04]', () => {
    mountInTestShell(modelReference, { state: stateOf(F150), data });
    expect(section()).toHaveStyle({ minHeight: '500px' });
  });

  it('lists average, starting and top price, count and link of each year and trim', () => {
    mountInTestShell(modelReference, { state: stateOf(F150), data });
    const years = screen.getByRole('table', { name: 'Ford F-150 prices by model year' });
    const row = within(years).getByRole('row', { name: /^2021/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['1,200', '$25,000', '$33,000', '$53,000']);
    expect(within(row).getByRole('link', { name: '2021' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all/2021/ford/f150',
    );
    const trims = screen.getByRole('table', { name: 'Ford F-150 prices by trim' });
    expect(within(trims).getAllByText('not known')).toHaveLength(3);
  });

  it('says how many listings have a great price and leads to them', () => {
    mountInTestShell(modelReference, { state: stateOf({ ...F150, zip: ['60601'] }), data });
    const link = screen.getByRole('link', { name: '412 listings at a great price nationwide' });
    expect(link).toHaveAttribute('href', expect.stringContaining('dealType=greatprice'));
    expect(link).toHaveAttribute('href', expect.stringContaining('searchRadius=0'));
  });

  it.each([0, null])('says nothing about great prices when their count is %p', (greatPriceListingCount) => {
    mountInTestShell(modelReference, { state: stateOf(F150), data: { ...data, greatPriceListingCount } });
    expect(screen.queryByText(/great price/)).toBeNull();
    expect(section()).toBeVisible();
  });

  it('is not there for two models, without data, or with its flag off [B6-FLAG-09]', () => {
    for (const [state, given] of [
      [stateOf({ makeCode: ['FORD'], modelCode: ['F150', 'MUSTANG'] }), data],
      [stateOf(F150), { ...data, modelYearsData: [], trimsData: [] }],
      [stateOf(F150, { modelReference: false }), data],
    ] as const) {
      const shell = mountInTestShell(modelReference, { state, data: given });
      expect(shell.container).toBeEmptyDOMElement();
      shell.unmount();
    }
  });

  it('never shows the prices of one model under the name of another', () => {
    const shell = mountInTestShell(modelReference, { state: stateOf(F150), data });
    act(
      () =>
        void shell.store.dispatch(
          searchStarted({
            requestId: 'r2',
            criteria: {
              ...shell.store.getState().search.criteria,
              filters: { ...F150, modelCode: ['RANGER'] },
            },
            url: '/x',
          }),
        ),
    );
    expect(screen.getByRole('region', { name: 'About the Ford RANGER' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('loading the pricing data', () => {
  const answers = {
    modelYears: { links: data.modelYearsData },
    trims: { links: [] as PricingData['trimsData'] },
    count: { totalResultCount: 7 },
  };
  const load = async (state: RootState, failing: readonly string[] = [], given = answers) => {
    const sent: Record<string, CallParams> = {};
    const call = jest.fn((name: string, params: CallParams) => {
      sent[name] = params;
      if (failing.includes(name)) return Promise.reject(new Error('down'));
      return Promise.resolve(given[name as keyof typeof answers]);
    });
    const { data: loaded, html } = await renderSlot(modelReference, {
      slot: 'model-reference',
      state,
      call: call as never,
      signal: new AbortController().signal,
    });
    return { loaded: loaded as PricingData | null, html, sent };
  };

  it('asks for the years and trims of the search at its place [B7-OTHER-09]', async () => {
    const { loaded, sent, html } = await load(stateOf({ ...F150, zip: ['60601'], listingType: ['USED'] }));
    const params = {
      makeCode: 'FORD',
      modelCode: 'F150',
      listingType: 'USED',
      zip: '60601',
      searchRadius: '50',
    };
    expect(sent['modelYears']).toEqual(params);
    expect(sent['trims']).toEqual(params);
    expect(loaded).toEqual({
      makeCode: 'FORD',
      modelCode: 'F150',
      modelYearsData: data.modelYearsData,
      trimsData: [],
      greatPriceListingCount: 7,
      area: { zip: '60601', radius: 50 },
    });
    expect(html).toContain('within 50 miles of 60601');
  });

  it('counts great prices over the whole country by the search parameters [A7-COUNT-01] [B7-OTHER-07]', async () => {
    const { loaded, sent } = await load(stateOf({ ...F150, zip: ['60601'], extColorSimple: ['RED'] }));
    expect(CALLS.count.path).toBe('/rest/lsc/listing/count');
    expect(sent['count']).toEqual(
      expect.objectContaining({
        makeCode: 'FORD',
        modelCode: 'F150',
        extColorSimple: 'RED',
        searchRadius: '0',
        dealType: 'greatprice',
      }),
    );
    expect(loaded?.greatPriceListingCount).toBe(7);
  });

  it('shows the prices when only the count fails', async () => {
    const { loaded, html } = await load(stateOf(F150), ['count']);
    expect(loaded?.greatPriceListingCount).toBeNull();
    expect(html).toContain('Pricing');
  });

  it('shows what is left when the years or the trims fail, and nothing when both do', async () => {
    const withTrims = { ...answers, trims: { links: data.trimsData } };
    const only = await load(stateOf(F150), ['modelYears'], withTrims);
    expect(only.html).toContain('prices by trim');
    expect(only.html).not.toContain('prices by model year');
    const none = await load(stateOf(F150), ['modelYears', 'trims'], withTrims);
    expect(none.html).toBe('');
  });

  it('calls nothing without a single make and model or with the flag off', async () => {
    for (const state of [stateOf({ makeCode: ['FORD'] }), stateOf(F150, { modelReference: false })]) {
      const { loaded, html, sent } = await load(state);
      expect(loaded).toBeNull();
      expect(html).toBe('');
      expect(sent).toEqual({});
      expect(modelReference.loadKey?.(state)).toBe('');
    }
  });

  it('loads again for another model, place or condition, not for another sort or page', () => {
    const key = (filters: FilterValues) => modelReference.loadKey?.(stateOf(filters));
    const base = key({ ...F150, zip: ['60601'] });
    expect(key({ ...F150, zip: ['60602'] })).not.toBe(base);
    expect(key({ ...F150, zip: ['60601'], searchRadius: ['100'] })).not.toBe(base);
    expect(key({ ...F150, zip: ['60601'], listingType: ['NEW'] })).not.toBe(base);
    const state = stateOf({ ...F150, zip: ['60601'] });
    const sorted = { ...state.search.criteria, sortBy: 'yearDESC', firstRecord: 30 } as const;
    expect(modelReference.loadKey?.({ ...state, search: { ...state.search, criteria: sorted } })).toBe(base);
  });
});
