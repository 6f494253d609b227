/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FilterValues } from '@forecourt/search/criteria';
import { searchStarted, type RootState, marketplaceState } from '@forecourt/search/state';
import { mountInTestShell, createTestEnvironment } from '@forecourt/search/testing';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import type { TestCalls } from '@forecourt/slots/testing';
import type { ReferenceData } from '../data/loadReference.ts';
import {
  F150,
  withoutData,
  sampleData as data,
  specsOf,
  stateOf,
  sampleData,
} from '../testing/sampleData.ts';
import modelReference from './model-reference.tsx';

const show = (changes: Partial<ReferenceData> = {}, filters: FilterValues = F150) =>
  mountInTestShell(modelReference, {
    state: stateOf(filters),
    data: { ...data, ...changes },
    calls: { specs: ({ vehicleId = '' }) => specsOf(vehicleId) },
  });

const open = (name: string) => userEvent.click(screen.getByRole('tab', { name }));

const panel = () => screen.getByRole('tabpanel');

afterEach(() => {
  window.history.replaceState(null, '', '/');
  sessionStorage.clear();
});

const section = () => screen.queryByRole('region', { name: 'About the Ford F-150' });

describe('model reference', () => {
  // rows: B2-MR-01, B1-OFFER-07
  it('shows a Pricing tab for a make and model with data', () => {
    const shell = mountInTestShell(modelReference, { state: stateOf(F150), data });
    expect(within(section()!).getByRole('tab', { name: 'Pricing' })).toHaveAttribute('aria-selected', 'true');
    expect(section()).toHaveAttribute('id', 'model-reference-container');
    expect(within(section()!).getByRole('tablist', { name: 'About the Ford F-150' })).toBeVisible();
    shell.unmount();
    mountInTestShell(modelReference, { state: stateOf({}), data: null });
    expect(screen.queryByRole('region')).toBeNull();
  });

  // rows: B9-HEIGHT-04
  it('reserves at least 500 px for tabs and panels', () => {
    mountInTestShell(modelReference, { state: stateOf(F150), data });
    const area = screen.getByRole('tablist').parentElement!;
    expect(area).toHaveStyle({ minHeight: '500px' });
    expect(area).toContainElement(panel());
    expect(area).not.toContainElement(screen.getByRole('heading', { name: 'About the Ford F-150' }));
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
    expect(within(trims).getAllByText('unknown')).toHaveLength(3);
  });

  it('links each count to the listings in the counted area', () => {
    show({ area: { zip: '60601', radius: 50 } }, { ...F150, zip: ['60601'] });
    const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')?.split('?')[1];
    const within50 = { makeCode: 'FORD', modelCode: 'F150', searchRadius: '50', zip: '60601' };
    expect(Object.fromEntries(new URLSearchParams(link('2021')))).toMatchObject(within50);
    expect(Object.fromEntries(new URLSearchParams(link('XLT')))).toEqual({
      ...within50,
      trimCode: 'F150|XLT',
    });
  });

  it('links to the number of great-price listings', () => {
    mountInTestShell(modelReference, { state: stateOf({ ...F150, zip: ['60601'] }), data });
    const link = screen.getByRole('link', { name: '412 great deals nationwide' });
    expect(link).toHaveAttribute('href', expect.stringContaining('dealType=greatprice'));
    expect(link).toHaveAttribute('href', expect.stringContaining('searchRadius=0'));
  });

  it('links to them without a radius where the search has no place, from which the address would redirect', () => {
    mountInTestShell(modelReference, { state: stateOf(F150), data });
    const link = screen.getByRole('link', { name: '412 great deals nationwide' });
    expect(link).toHaveAttribute('href', expect.stringContaining('dealType=greatprice'));
    expect(link).not.toHaveAttribute('href', expect.stringContaining('searchRadius'));
  });

  it.each([0, null])('omits great prices when their count is %p', (greatPriceListingCount) => {
    mountInTestShell(modelReference, { state: stateOf(F150), data: { ...data, greatPriceListingCount } });
    expect(screen.queryByText(/great price/)).toBeNull();
    expect(section()).toBeVisible();
  });

  // rows: B6-FLAG-09
  it('renders nothing for two models, without data, or with the flag off', () => {
    for (const [state, overrides] of [
      [stateOf({ makeCode: ['FORD'], modelCode: ['F150', 'MUSTANG'] }), data],
      [stateOf(F150), withoutData],
      [stateOf(F150, {}, { modelReference: false }), data],
    ] as const) {
      const shell = mountInTestShell(modelReference, { state, data: overrides });
      expect(shell.container).toBeEmptyDOMElement();
      shell.unmount();
    }
  });

  // rows: B4-PANEL-06
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

describe('tabs', () => {
  // rows: B2-MR-02, B2-MR-03, B2-MR-04
  it.each([
    ['Compare Trims', 'B2-MR-02', { trims: [] }],
    ['Safety', 'B2-MR-03', { safetyInfo: null }],
    ['Consumer Reviews', 'B2-MR-04', { ratings: null }],
  ] as const)('shows %s only with its data', (label, _, emptyData) => {
    const { unmount } = show();
    expect(screen.getByRole('tab', { name: label })).toBeVisible();
    unmount();
    show(emptyData);
    expect(screen.queryByRole('tab', { name: label })).toBeNull();
  });

  // rows: B2-MR-05, B4-MR-03
  it('shows FAQs with enough used results', () => {
    const { unmount } = show({ usedCount: 25 });
    expect(screen.getByRole('tab', { name: 'FAQs' })).toBeVisible();
    unmount();
    show({ usedCount: 24 });
    expect(screen.queryByRole('tab', { name: 'FAQs' })).toBeNull();
  });

  // rows: B2-MR-06
  it('appends editorial tabs', async () => {
    mountInTestShell(modelReference, {
      state: stateOf(F150, {
        editorial: {
          editorialReviews: [],
          makeSummaryData: undefined,
          editorialContent: {
            tabs: [
              {
                key: 'overview',
                label: 'Overview',
                sections: [{ heading: 'Why', paragraphs: ['It tows.'] }],
              },
            ],
          },
        },
      }),
      data,
    });
    expect(screen.getAllByRole('tab')).toHaveLength(6);
    await open('Overview');
    expect(panel()).toHaveTextContent('It tows.');
  });

  it('selects the tab in the URL fragment and updates the fragment', async () => {
    window.history.replaceState({ scrollPosition: true }, '', '#safety');
    const scroll = jest.fn();
    Element.prototype.scrollIntoView = scroll;
    show();
    expect(screen.getByRole('tab', { name: 'Safety' })).toHaveAttribute('aria-selected', 'true');
    expect(scroll).toHaveBeenCalledTimes(1);
    await open('FAQs');
    expect(window.location.hash).toBe('#faqs');
    expect(window.history.state).toEqual({ scrollPosition: true });
    window.history.replaceState(null, '', '#no-such-tab');
    act(() => void window.dispatchEvent(new HashChangeEvent('hashchange')));
    expect(screen.getByRole('tab', { name: 'FAQs' })).toHaveAttribute('aria-selected', 'true');
  });

  it.each(['#%', '#%E0%A4%A'])('ignores the malformed fragment %s', async (fragment) => {
    window.history.replaceState(null, '', fragment);
    show();
    await open('Safety');
    expect(screen.getByRole('tab', { name: 'Safety' })).toHaveAttribute('aria-selected', 'true');
    window.history.replaceState(null, '', fragment);
    expect(() => window.dispatchEvent(new HashChangeEvent('hashchange'))).not.toThrow();
    expect(screen.getByRole('tab', { name: 'Safety' })).toHaveAttribute('aria-selected', 'true');
  });

  // rows: B3-SAFETY-01, B3-SAFETY-02, B3-SAFETY-03
  it('shows standard equipment, ratings and legroom under Safety', async () => {
    show();
    await open('Safety');
    expect(panel()).toHaveTextContent('Ratings and equipment of the 2026 Ford F-150.');
    expect(within(panel()).getByRole('list', { name: 'Safety Ratings' })).toHaveTextContent('5 of 5Overall');
    expect(within(panel()).getByText('Antilock brakes').nextSibling).toHaveTextContent('Standard');
    expect(within(panel()).getByText('Blind-spot monitor').nextSibling).toHaveTextContent('Optional');
    expect(within(panel()).getByText('Automatic emergency braking').nextSibling).toHaveTextContent(
      'Not Available',
    );
    expect(within(panel()).getByText('Rear legroom').nextSibling).toHaveTextContent('43.6 in');
  });

  it('shows safety without consumer ratings, and ratings without safety', async () => {
    const { unmount } = show({ ratings: null });
    await open('Safety');
    expect(panel()).toHaveTextContent('Antilock brakes');
    unmount();
    show({ safetyInfo: null });
    await open('Consumer Reviews');
    expect(panel()).toHaveTextContent('4.4 of 5');
  });

  // rows: B3-RATING-01
  it('shows the overall rating and the number of reviews under Consumer Reviews', async () => {
    show();
    await open('Consumer Reviews');
    expect(panel()).toHaveTextContent('4.4 of 5Overall Rating of the 2026 Ford F-150 by 128 reviews');
    expect(panel()).toHaveTextContent('4.5 out of 5 by Dana, March 5, 2026');
  });
});

/** ms; longer than the server waits. */
const LATE = 700;

const respondLate = <T,>(response: T) => new Promise<T>((resolve) => setTimeout(resolve, LATE, response));

const calls: TestCalls = {
  modelYears: () => ({ links: sampleData.modelYearsData }),
  trims: () => respondLate({ links: sampleData.trimsData }),
  referenceVehicles: () => ({ items: sampleData.trims }),
  safety: () => respondLate(sampleData.safetyInfo),
};

/** Hydrates the section over server HTML with these data. */
async function hydrate(data: ReferenceData) {
  const requestedCalls: string[] = [];
  const { store, environment } = createTestEnvironment(modelReference, { state: stateOf(), calls });
  const state = store.getState() as RootState;
  const { html } = await renderSlot(
    marketplaceState,
    { ...modelReference, load: async () => data },
    { slot: 'test', state, call: environment.call, signal: new AbortController().signal },
  );
  const element = document.body.appendChild(document.createElement('div'));
  element.innerHTML = html;
  const { unmount } = await act(async () =>
    mountSlot({
      module: modelReference,
      element,
      store,
      environment: {
        ...environment,
        call: (name, ...rest) => (requestedCalls.push(name), environment.call(name, ...rest)),
      },
      server: { state, data },
      onReady: () => {},
      onError: (phase, error) => {
        throw new Error(phase, { cause: error });
      },
    }),
  );
  return { requestedCalls, leave: () => (act(unmount), element.remove()) };
}

// rows: B2-MR-03, B4-MR-04
it('loads in the browser the parts that were late on the server', async () => {
  const { leave } = await hydrate({ ...sampleData, trimsData: [], safetyInfo: null, isPartial: true });
  expect(screen.queryByRole('tab', { name: 'Safety' })).toBeNull();
  expect(screen.getByRole('table', { name: 'Ford F-150 prices by model year' })).toBeVisible();
  expect(await screen.findByRole('tab', { name: 'Safety' }, { timeout: 4 * LATE })).toBeVisible();
  expect(screen.getByRole('table', { name: 'Ford F-150 prices by trim' })).toBeVisible();
  leave();
});

it('loads nothing in the browser when the server had all parts, even empty ones', async () => {
  const { requestedCalls, leave } = await hydrate({ ...sampleData, safetyInfo: null });
  expect(requestedCalls.filter((name) => name !== 'specs')).toEqual([]);
  leave();
});
