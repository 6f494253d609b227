/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { marketplaceState } from '@forecourt/search/state';
import { buildState, createTestEnvironment, mountInTestShell } from '@forecourt/search/testing';
import { renderSlot } from '@forecourt/slots/server';
import type { TestCalls } from '@forecourt/slots/testing';
import type { CallParams } from '@forecourt/upstream/calls';
import type { SellerMapData } from '../map/mapView.ts';
import { sellerMap } from '../testing/sampleVehicles.ts';
import map from './map.tsx';

const VIEW = sellerMap.view;
const [CLUSTER] = sellerMap.clusters;

const criteria: SearchCriteria = {
  filters: { makeCode: ['FORD'], zip: ['78701'], searchRadius: ['50'] },
  view: 'map',
  sortBy: 'relevance',
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
};

async function mount(overrides: Partial<SearchCriteria> = {}, response: SellerMapData | null = sellerMap) {
  const requests: CallParams[] = [];
  const calls: TestCalls = {
    sellerMap: (params) => {
      requests.push(params);
      return response && params['mapView']
        ? { ...response, view: String(params['mapView']), count: 77 }
        : response;
    },
  };
  const state = buildState({ criteria: { ...criteria, ...overrides } });
  const { environment } = createTestEnvironment(map, { state, calls });
  const { html, data: loaded } = await renderSlot(marketplaceState, map, {
    slot: 'map',
    state,
    call: environment.call,
    signal: new AbortController().signal,
    checksReads: true,
  });
  const shell = mountInTestShell(map, { state, calls, data: loaded });
  const lastSearch = (): SearchCriteria => {
    const event = shell.events.findLast(({ type }) => type === 'search.changeRequested');
    if (!event) throw new Error('nothing was searched');
    return (event.payload as { criteria: SearchCriteria }).criteria;
  };
  return { requests, html, lastSearch };
}

const link = (name: string | RegExp) => screen.getByRole('link', { name });
const frame = () => screen.getByRole('group', { name: /^Map/ });

afterEach(() => document.body.replaceChildren());

describe('the map of sellers', () => {
  it('is in the HTML with a named link for each cluster, and counts by the search without its order', async () => {
    const { html, requests } = await mount({ sortBy: 'yearASC', firstRecord: 60 });
    expect(html).toContain('1,234 vehicles at 3 sellers near Austin, TX');
    expect(requests[0]).toMatchObject({ makeCode: 'FORD', zip: '78701', searchRadius: '50' });
    expect(requests[0]).not.toHaveProperty('sortBy');
    expect(link('1,234 vehicles at 3 sellers near Austin, TX')).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?area=30.1~-98~30.6~-97.5&makeCode=FORD&sortBy=yearASC&view=map&zip=78701',
    );
    expect(screen.getByRole('status')).toHaveTextContent('1,240 vehicles at 9 sellers on this map');
  });

  it('searches the area of a cluster instead of the radius when it is clicked', async () => {
    const { lastSearch } = await mount({ firstRecord: 60 });
    await userEvent.click(link(/near Cotulla, TX$/));
    expect(lastSearch()).toMatchObject({
      view: 'map',
      firstRecord: 0,
      filters: { area: ['29.1~-98.9~29.2~-98.8'], makeCode: ['FORD'], zip: ['78701'] },
    });
    expect(lastSearch().filters).not.toHaveProperty('searchRadius');
  });

  it('moves by keys and buttons, counts what is seen then, and searches it on request', async () => {
    const { requests, lastSearch } = await mount();
    frame().focus();
    await userEvent.keyboard('{ArrowRight}{-}');
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('77 vehicles'));
    expect(requests.at(-1)?.['mapView']).toBe('28~-99.62~32~-94.62');
    await userEvent.click(link('Zoom in'));
    await userEvent.click(link('Search this area'));
    expect(lastSearch().filters.area).toEqual(['29~-98.37~31~-95.87']);
  });

  it('follows the pointer, and doesn’t search the circle on which a drag began', async () => {
    const { requests, lastSearch } = await mount();
    Object.defineProperties(frame(), { clientWidth: { value: 400 }, clientHeight: { value: 300 } });
    frame().setPointerCapture = () => {};
    const circle = link(/near Austin, TX$/);
    const point = (type: string, clientX: number, clientY: number) =>
      fireEvent(circle, new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY }));
    point('pointerdown', 200, 100);
    point('pointermove', 100, 160);
    point('pointerup', 100, 160);
    point('click', 100, 160);
    await waitFor(() => expect(requests.at(-1)?.['mapView']).toBe('29.4~-98.37~31.4~-95.87'));
    expect(lastSearch).toThrow('nothing was searched');
    point('pointerdown', 200, 100);
    point('pointerup', 200, 100);
    point('click', 200, 100);
    expect(lastSearch().filters.area).toEqual([CLUSTER!.area]);
  });

  it('lists the dealers with most vehicles as links to their vehicles', async () => {
    const { lastSearch } = await mount({ filters: { area: [VIEW], makeCode: ['FORD'] } });
    const list = within(screen.getByRole('region', { name: 'Dealers in this area' }));
    expect(list.getByText('and 8 more sellers')).toBeVisible();
    await userEvent.click(list.getByRole('link', { name: 'Lake Motors Austin, TX 1,100 vehicles' }));
    expect(lastSearch()).toMatchObject({
      isSponsorship: true,
      showcaseOwnerId: 'd1',
      filters: { makeCode: ['FORD'], searchRadius: ['0'] },
    });
    expect(lastSearch().filters).not.toHaveProperty('area');
  });

  it('offers the rest of the country and the list alone, and no search of the area that is searched already', async () => {
    await mount({ filters: { area: [VIEW] } });
    expect(screen.queryByRole('link', { name: 'Search this area' })).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('1,240 vehicles at 9 sellers in this area');
    expect(link('3,760 more across the country')).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?searchRadius=0&view=map',
    );
    expect(link('Hide map')).toHaveAttribute('href', `/cars-for-sale/all-cars?area=${VIEW}`);
    expect(link('Zoom out')).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?area=28~-100.25~32~-95.25&view=map',
    );
  });

  it('keeps the room of the map until late data has loaded', async () => {
    const { container } = mountInTestShell(map, { state: buildState({ criteria }) });
    expect(container.querySelector('[aria-busy="true"]')).toBeInTheDocument();
    expect(screen.queryByText(/can’t be shown/)).toBeNull();
  });

  it('says that the list has all vehicles when the sellers can’t be loaded', async () => {
    await mount({}, null);
    await act(async () => {});
    expect(screen.getByText(/The list has all vehicles/)).toBeVisible();
    expect(link('Hide map')).toBeVisible();
  });
});
