/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Chip } from '@forecourt/search/catalog';
import {
  createStore,
  searchStarted,
  type RootState,
  type SearchState,
  marketplaceState,
} from '@forecourt/search/state';
import { buildChip, buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/search/testing';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import showcase from './showcase.tsx';

const vehicles = (count: number) =>
  Array.from({ length: count }, (_, at) => buildListing({ id: `v${at}`, title: `Vehicle ${at}` }));

const alphaOf = (isAlpha: boolean, count = 5): NonNullable<SearchState['alpha']> => ({
  alphaShowcase: { isAlpha, listings: vehicles(count) },
  ownerBean: buildOwner({ id: 'ace', name: 'Ace Ford' }),
});

const mount = (
  alpha: NonNullable<SearchState['alpha']> | null,
  flags: Record<string, boolean> = {},
  search: Partial<SearchState> = {},
) => mountInTestShell(showcase, { state: buildState({ ...search, alpha }, { flags }) });

const region = () => screen.queryByRole('region', { name: 'Sponsored: Ace Ford' });
const hideControl = () => screen.getByRole('button', { name: 'Hide sponsored showcase' });

/** Renders like the server and hydrates the HTML; fails on any recoverable React error. */
async function hydrateShowcase(state: RootState): Promise<HTMLElement> {
  const call = () => Promise.reject(new Error('no calls'));
  const { html } = await renderSlot(marketplaceState, showcase, {
    slot: 'showcase',
    state,
    call,
    signal: new AbortController().signal,
  });
  const element = document.body.appendChild(document.createElement('div'));
  element.innerHTML = html;
  const onError = jest.fn();
  const environment = {
    slot: 'showcase',
    emit: () => {},
    listen: () => () => {},
    call,
    attachOutlet: () => () => {},
  };
  let root = { unmount: () => {} };
  await act(async () => {
    root = mountSlot({
      module: showcase,
      element,
      store: createStore(state),
      environment,
      server: { state, data: undefined },
      onReady: () => {},
      onError,
    });
    await Promise.resolve();
  });
  expect(onError).not.toHaveBeenCalled();
  cleanups.push(() => {
    act(() => root.unmount());
    element.remove();
  });
  return element;
}
const cleanups: (() => void)[] = [];

beforeEach(() => {
  sessionStorage.clear();
  document.cookie = 'alphaHidden=; Path=/; Max-Age=0';
});
afterEach(() => {
  cleanups.splice(0).forEach((unmount) => unmount());
  jest.restoreAllMocks();
});

describe('showcase', () => {
  // rows: B1-OFFER-01
  it('labels the showcase as sponsored', () => {
    mount(alphaOf(false));
    expect(within(region()!).getByText('Sponsored')).toBeVisible();
  });

  // rows: B2-ALPHA-02
  it('shows one listing of the dealer and a closed carousel in context inventory', () => {
    mount(alphaOf(false));
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Vehicle 0']);
    expect(screen.getByText(/^Ace Ford/)).toBeVisible();
    expect(screen.queryByRole('list')).toBeNull();
    expect(screen.getByRole('button', { name: 'View Vehicles' })).toHaveAttribute('aria-expanded', 'false');
  });

  // rows: B4-ALPHA-05
  it("opens and closes the carousel with 'View Vehicles' and 'Hide Vehicles'", async () => {
    mount(alphaOf(false));
    await userEvent.click(screen.getByRole('button', { name: 'View Vehicles' }));
    expect(screen.getByRole('group', { name: 'Vehicles of Ace Ford' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Hide Vehicles' }));
    expect(screen.queryByRole('group', { name: 'Vehicles of Ace Ford' })).toBeNull();
    expect(screen.getByRole('button', { name: 'View Vehicles' })).toBeVisible();
  });

  // rows: B9-ALPHA-01
  it('puts at most 12 listings into the carousel', async () => {
    mount(alphaOf(false, 20));
    await userEvent.click(screen.getByRole('button', { name: 'View Vehicles' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(12);
  });

  it('moves the focus between vehicles with arrow keys, Home and End', async () => {
    mount(alphaOf(false, 3));
    await userEvent.click(screen.getByRole('button', { name: 'View Vehicles' }));
    const links = within(screen.getByRole('list')).getAllByRole('link');
    links[0]!.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(links[1]).toHaveFocus();
    await userEvent.keyboard('{End}');
    expect(links[2]).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    expect(links[2]).toHaveFocus();
    await userEvent.keyboard('{Home}');
    expect(links[0]).toHaveFocus();
  });

  it('scrolls the carousel with its buttons, but not beyond its ends', async () => {
    mount(alphaOf(false, 12));
    await userEvent.click(screen.getByRole('button', { name: 'View Vehicles' }));
    const list = screen.getByRole('list');
    const scrollBy = jest.fn();
    Object.defineProperties(list, {
      clientWidth: { value: 600 },
      scrollWidth: { value: 2000 },
      scrollBy: { value: scrollBy },
    });
    fireEvent.scroll(list);
    await userEvent.click(screen.getByRole('button', { name: 'Previous vehicles' }));
    expect(scrollBy).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Next vehicles' }));
    expect(scrollBy).toHaveBeenCalledWith({ left: 540 });
    list.scrollLeft = 1400;
    fireEvent.scroll(list);
    await userEvent.click(screen.getByRole('button', { name: 'Next vehicles' }));
    expect(scrollBy).toHaveBeenCalledTimes(1);
  });

  // rows: B2-ALPHA-03, B9-ALPHA-02
  it('shows the dealer and two vehicles in context owner', () => {
    mount(alphaOf(true, 5));
    expect(screen.getByRole('heading', { name: 'Ace Ford' })).toBeVisible();
    const shownVehicles = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(shownVehicles).toEqual([expect.stringMatching(/^Vehicle 0/), expect.stringMatching(/^Vehicle 1/)]);
  });

  // rows: B2-ALPHA-04
  it("narrows the search to the owner with 'View All Cars'", async () => {
    const shell = mount(
      alphaOf(true),
      {},
      {
        criteria: {
          filters: { makeCode: ['FORD'] },
          sortBy: 'relevance',
          firstRecord: 30,
          numRecords: 30,
          unknown: [],
        },
      },
    );
    const link = screen.getByRole('link', { name: 'View All Cars' });
    expect(link).toHaveAttribute('href', expect.stringContaining('isSponsorship=true&makeCode=FORD'));
    expect(link).toHaveAttribute('href', expect.stringContaining('showcaseOwnerId=ace'));
    await userEvent.click(link);
    expect(shell.events.filter(({ type }) => type === 'search.changeRequested')).toEqual([
      expect.objectContaining({
        payload: expect.objectContaining({
          history: 'push',
          cause: 'showcase:viewAll',
          criteria: expect.objectContaining({
            filters: { makeCode: ['FORD'] },
            firstRecord: 0,
            isSponsorship: true,
            showcaseOwnerId: 'ace',
          }),
        }),
      }),
    ]);
  });

  it('offers no other cars on the page of the owner', () => {
    const { criteria } = buildState().search;
    mount(alphaOf(true), {}, { criteria: { ...criteria, isSponsorship: true, showcaseOwnerId: 'ace' } });
    expect(region()).toBeVisible();
    expect(screen.queryByRole('link', { name: 'View All Cars' })).toBeNull();
  });

  // rows: B4-ALPHA-03
  it('renders nothing without an owner', () => {
    mount({ ...alphaOf(true), ownerBean: undefined as never });
    expect(screen.queryByText('Sponsored')).toBeNull();
  });

  // rows: B4-ALPHA-04
  it('renders nothing on other pages than sponsorships with the sponsorship-only flag', () => {
    mount(alphaOf(true), { alphaSponsorshipOnly: true });
    expect(region()).toBeNull();
  });

  // rows: B4-ALPHA-01
  it('shows placeholders while a search loads', () => {
    mount(alphaOf(true), {}, { status: 'loading' });
    expect(region()).toHaveAttribute('aria-busy', 'true');
    expect(region()!.querySelector('.skeleton')).toBeVisible();
    expect(within(region()!).queryByRole('link')).toBeNull();
  });

  it('reports one impression and each click once', async () => {
    const shell = mount(alphaOf(true));
    const link = screen.getByRole('link', { name: /Vehicle 1/ });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    act(
      () =>
        void shell.store.dispatch(
          searchStarted({ requestId: 'r2', criteria: shell.store.getState().search.criteria, url: '/x' }),
        ),
    );
    const tracked = shell.events.filter(({ type }) => type === 'page.tracked').map(({ payload }) => payload);
    expect(tracked).toEqual([
      { kind: 'impression', name: 'alpha', tile: 'ace' },
      { kind: 'click', name: 'alpha', tile: 'ace', listingId: 'v1' },
    ]);
  });
});

describe('missing criteria', () => {
  const red: Chip = {
    key: 'extColorSimple:RED',
    label: 'Red',
    kind: 'value',
    section: 'extColorSimple',
    param: 'extColorSimple',
    params: ['extColorSimple'],
    values: ['RED'],
  };
  const blue: Chip = { ...red, key: 'extColorSimple:BLUE', label: 'Blue', values: ['BLUE'] };

  // rows: B5-MISS-07, B1-OFFER-02
  it("shows only the failed chip, struck through after 'Missing:'", () => {
    mount(alphaOf(true), {}, { chips: [buildChip('listingType', 'USED', 'Used'), red] });
    expect([...document.querySelectorAll('s')].map(({ textContent }) => textContent)).toEqual(['Red']);
    const failedChip = screen.getByText('Red');
    expect(failedChip.tagName).toBe('S');
    expect(screen.getByText('Missing:').compareDocumentPosition(failedChip)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });

  it('shows no missing criteria when every chip is met', () => {
    mount(alphaOf(true), {}, { chips: [blue] });
    expect(screen.queryByText('Missing:')).toBeNull();
  });

  it('selects the form by exact match with the exact-match flag', () => {
    const exact = mount(alphaOf(false), { alphaExactMatch: true }, { chips: [blue] });
    expect(screen.getByRole('button', { name: 'View Vehicles' })).toBeVisible();
    exact.unmount();
    mount(alphaOf(false), { alphaExactMatch: true }, { chips: [red] });
    expect(screen.getByRole('link', { name: 'View All Cars' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'View Vehicles' })).toBeNull();
  });
});

describe('hiding the showcase', () => {
  // rows: B4-ALPHA-02
  it('removes the showcase and keeps it hidden on the next search', async () => {
    const shell = mount(alphaOf(true));
    await userEvent.click(hideControl());
    expect(region()).toBeNull();
    const { criteria } = shell.store.getState().search;
    act(
      () =>
        void shell.store.dispatch(
          searchStarted({ requestId: 'r2', criteria: { ...criteria, sortBy: 'yearDESC' }, url: '/x' }),
        ),
    );
    expect(region()).toBeNull();
  });

  // rows: B4-ALPHA-06
  it('hides the showcase only for the session', async () => {
    const first = mount(alphaOf(true));
    await userEvent.click(hideControl());
    first.unmount();
    const reloaded = mount(alphaOf(true));
    expect(region()).toBeNull();
    expect(reloaded.events).toEqual([]);
    reloaded.unmount();
    sessionStorage.clear();
    mount(alphaOf(true));
    expect(region()).toBeVisible();
  });

  it('reserves the space of an already hidden showcase until the next search', () => {
    sessionStorage.setItem('alphaHidden', 'true');
    const shell = mount(alphaOf(true));
    const reserved = screen.getByRole('region', { hidden: true });
    expect(reserved).not.toBeVisible();
    const { criteria } = shell.store.getState().search;
    act(
      () =>
        void shell.store.dispatch(
          searchStarted({ requestId: 'r2', criteria: { ...criteria, sortBy: 'yearDESC' }, url: '/x' }),
        ),
    );
    expect(screen.queryByRole('region', { hidden: true })).toBeNull();
  });

  // rows: B4-ALPHA-07, B9-ALPHA-03
  it('sets a site-wide cookie for 30 minutes only in the timed variant', async () => {
    const cookie = jest.spyOn(document, 'cookie', 'set');
    const first = mount(alphaOf(true));
    await userEvent.click(hideControl());
    expect(cookie).not.toHaveBeenCalled();
    first.unmount();
    sessionStorage.clear();
    mount(alphaOf(true), { alphaTimedHide: true });
    await userEvent.click(hideControl());
    expect(cookie).toHaveBeenCalledTimes(1);
    expect(cookie.mock.calls[0]![0].split('; ')).toEqual(
      expect.arrayContaining(['alphaHidden=1', 'Path=/', 'Max-Age=1800']),
    );
  });

  it('hides the showcase when storage is blocked', async () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    mount(alphaOf(true));
    await userEvent.click(hideControl());
    expect(region()).toBeNull();
  });
});

describe('server-rendered showcase', () => {
  it.each([true, false])('hydrates the showcase without a mismatch, alpha %p', async (isAlpha) => {
    const state = buildState({ alpha: alphaOf(isAlpha) });
    const element = await hydrateShowcase(state);
    expect(within(element).getByText('Sponsored')).toBeVisible();
  });

  it('hydrates without a mismatch for a shopper who hid the showcase earlier', async () => {
    sessionStorage.setItem('alphaHidden', 'true');
    const element = await hydrateShowcase(buildState({ alpha: alphaOf(true) }));
    expect(within(element).getByText('Sponsored')).not.toBeVisible();
  });

  it('renders showcase links that work without JavaScript', async () => {
    const { html } = await renderSlot(marketplaceState, showcase, {
      slot: 'showcase',
      state: buildState({ alpha: alphaOf(false) }),
      call: () => Promise.reject(new Error('no calls')),
      signal: new AbortController().signal,
    });
    expect(html).toContain('Sponsored');
    expect(html).toContain('showcaseOwnerId=ace');
    expect(html).toContain('/cars-for-sale/vehicle/v0?clickType=alpha');
  });
});
