/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { marketplaceState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState, mountInTestShell } from '@forecourt/search/testing';
import type { PageHead, SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import type { CallName, CallParams } from '@forecourt/upstream/calls';
import savedVehicles from './saved-vehicles.tsx';
import { priceChange, type SavedVehiclesData } from '../savedPages/SavedVehicles.tsx';
import { cardOf } from '../savedPages/vehicleCard.ts';

type Responses = Partial<Record<CallName, unknown>>;

/** Renders a slot as the server does, puts its HTML into the document, and returns its head and calls. */
async function renderPage(
  module: SlotModule,
  url: string,
  responses: Responses,
  session: Parameters<typeof buildState>[1] = { signedIn: true },
) {
  const calls: { name: CallName; params: CallParams }[] = [];
  const call = async (name: CallName, params: CallParams) => {
    calls.push({ name, params });
    const response = responses[name];
    if (response instanceof Error) throw response;
    return response as never;
  };
  const { html, page } = await renderSlot(marketplaceState, module, {
    slot: 'saved',
    state: { ...buildState({}, session), page: { kind: 'saved-vehicles', url, referrer: null } },
    call,
    signal: new AbortController().signal,
  });
  document.body.innerHTML = html;
  return { head: page as PageHead, calls };
}

const actionOf = (form: HTMLElement | null) =>
  Object.fromEntries([...form!.querySelectorAll('input')].map(({ name, value }) => [name, value]));

const formOf = (button: string) => screen.getByRole('button', { name: button }).closest('form');

afterEach(() => document.body.replaceChildren());

describe('saved vehicles page', () => {
  const PATH = '/account/saved-vehicles';
  const savedListings = { savedListings: [{ listingId: '7', savedAt: 1, savedPrice: 35_000 }] };

  it('shows each vehicle with its price now and then, and a form that removes it', async () => {
    const { head } = await renderPage(savedVehicles, PATH, {
      savedListings,
      listing: { listing: buildListing({ id: '7' }), owner: buildOwner() },
    });
    expect(head).toMatchObject({ title: 'Saved vehicles', canonical: PATH, isIndexed: false, status: 200 });
    const card = within(screen.getByRole('listitem'));
    expect(card.getByRole('link', { name: '2021 Ford F-150 XLT' })).toBeVisible();
    expect(card.getByText('$32,995')).toBeVisible();
    expect(card.getByText('31,250 mi · Chicago, IL')).toBeVisible();
    expect(card.getByText('$2,005 less than when you saved it')).toBeVisible();
    const form = formOf('Remove 2021 Ford F-150 XLT');
    expect(actionOf(form)).toEqual({ id: '7' });
    expect(form).toHaveAttribute('action', PATH);
  });

  it('leads to the notifications about price drops', async () => {
    await renderPage(savedVehicles, PATH, { savedListings: { savedListings: [] } });
    expect(screen.getByRole('button', { name: 'Notify me of price drops' })).toBeVisible();
  });

  const gone = Object.assign(new Error('gone'), { code: 'REFUSED' });

  it('keeps name, picture and last price of a vehicle that is no longer for sale', async () => {
    const removed = {
      title: '2019 Kia Soul',
      image: { src: '/soul.jpg', alt: '' },
      price: 9_000,
      mileage: 40_000,
    };
    await renderPage(savedVehicles, PATH, {
      savedListings,
      listing: gone,
      vehicleModel: { makeCode: 'KIA', modelCode: 'SOUL', removedDays: 3, removed },
    });
    const card = screen.getByRole('listitem');
    for (const text of ['No longer for sale', 'Last listed for $9,000', '40,000 mi'])
      expect(within(card).getByText(text)).toBeVisible();
    expect(within(card).getByRole('link')).toHaveTextContent(/^2019 Kia Soul/);
    expect(within(card).getByRole('link')).toHaveAttribute('href', '/cars-for-sale/vehicle/7');
    expect(card.querySelector('img')).toHaveAttribute('src', '/soul.jpg');
    expect(actionOf(formOf('Remove 2019 Kia Soul'))).toEqual({ id: '7' });
  });

  it('marks vehicles of which nothing is known any more', async () => {
    await renderPage(savedVehicles, PATH, { savedListings, listing: gone, vehicleModel: null });
    expect(screen.getByRole('heading', { name: 'No longer for sale' })).toBeVisible();
    expect(actionOf(formOf('Remove this vehicle'))).toEqual({ id: '7' });
  });

  it('fails when a listing cannot be loaded for any other reason', async () => {
    const timeout = Object.assign(new Error('timed out'), { code: 'TIMEOUT' });
    await expect(renderPage(savedVehicles, PATH, { savedListings, listing: timeout })).rejects.toBe(timeout);
  });

  it('looks up at most 48 vehicles and counts the rest', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ listingId: String(at), savedAt: 1 }));
    const { calls } = await renderPage(savedVehicles, PATH, {
      savedListings: { savedListings: many },
      listing: { listing: buildListing(), owner: buildOwner() },
    });
    expect(calls.filter(({ name }) => name === 'listing')).toHaveLength(48);
    expect(screen.getByText(/^2 more not shown/)).toBeVisible();
  });

  it('explains how to save a vehicle when there is none', async () => {
    await renderPage(savedVehicles, PATH, { savedListings: { savedListings: [] } });
    expect(screen.getByText(/You haven’t saved a vehicle yet/)).toBeVisible();
  });

  it('announces that a vehicle was removed', async () => {
    await renderPage(savedVehicles, `${PATH}?done=removed`, { savedListings: { savedListings: [] } });
    expect(screen.getByRole('status')).toHaveTextContent('Vehicle removed from your saved vehicles.');
  });

  it('returns 503 and offers to try again when the account service is unavailable', async () => {
    const { head } = await renderPage(savedVehicles, PATH, { savedListings: { error: 'Request timed out' } });
    expect(head.status).toBe(503);
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', PATH);
  });
});

describe('saved vehicles page without an account', () => {
  const mount = (
    session: Parameters<typeof buildState>[1],
    calls: NonNullable<Parameters<typeof mountInTestShell>[1]>['calls'] = {},
    data: Partial<SavedVehiclesData> = {},
  ) =>
    mountInTestShell(savedVehicles, {
      state: {
        ...buildState({}, session),
        page: { kind: 'saved-vehicles', url: '/account/saved-vehicles', referrer: null },
      },
      data: { vehicles: [], hiddenCount: 0, ...data },
      calls,
    });
  const removed = { title: '2019 Kia Soul', price: 9_000 };
  const vehicleOf: Record<string, unknown> = {
    '7': { listing: buildListing({ id: '7' }), owner: buildOwner() },
  };
  const calls = {
    vehicle: ({ id }: CallParams) => vehicleOf[String(id)] ?? null,
    vehicleModel: ({ id }: CallParams) =>
      id === '8' ? { makeCode: 'KIA', modelCode: 'SOUL', removedDays: 3, removed } : null,
  };

  it('is rendered without any vehicle, with what it takes to see them', async () => {
    const { head, calls: made } = await renderPage(
      savedVehicles,
      '/account/saved-vehicles',
      {},
      { signedIn: false },
    );
    expect([head.status, made]).toEqual([200, []]);
    expect(screen.getByText(/^Without JavaScript, this page can’t see what was saved/)).toBeInTheDocument();
    const refUrl = 'refUrl=%2Faccount%2Fsaved-vehicles';
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
      'href',
      `/account/sign-in?${refUrl}`,
    );
    expect(screen.getByRole('link', { name: 'Create a free account' })).toHaveAttribute(
      'href',
      `/account/sign-in?defaultScreen=signup&${refUrl}`,
    );
  });

  it('shows what this browser has saved, also when it was sold or cannot be loaded', async () => {
    mount({ savedListingIds: ['7', '8', '9'] }, calls);
    expect(
      screen.getByText('3 vehicles saved in this browser. Without an account, you can save up to 3.'),
    ).toBeVisible();
    expect(await screen.findByRole('link', { name: '2021 Ford F-150 XLT' })).toBeVisible();
    expect(screen.getByText('$32,995')).toBeVisible();
    expect(screen.getByText(buildOwner().name)).toBeVisible();
    expect(await screen.findByText('Last listed for $9,000')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'See this vehicle' })).toHaveAttribute(
      'href',
      '/cars-for-sale/vehicle/9',
    );
  });

  it('removes a vehicle, and leaves the keyboard on the page', async () => {
    const shell = mount({ savedListingIds: ['7'] }, calls);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove 2021 Ford F-150 XLT' }));
    expect(shell.events).toContainEqual(
      expect.objectContaining({ type: 'listing.saveRequested', payload: { listingId: '7' } }),
    );
    act(() => shell.bus.emit('listing.savedChanged', { listingId: '7', saved: false }, 'leads'));
    expect(screen.queryByRole('listitem')).toBeNull();
    expect(screen.getByText('No vehicles are saved in this browser.')).toHaveFocus();
    expect(screen.getByText('Select the heart on a vehicle to save it.')).toBeVisible();
  });

  it('says that the browser stores nothing', () => {
    const setItem = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    mount({});
    expect(screen.getByText(/^Your browser blocks storage for this site/)).toBeVisible();
    setItem.mockRestore();
  });

  it('adds what sign-in moves into the account while the page is shown', async () => {
    const shell = mount({ signedIn: true }, calls, {
      vehicles: [
        {
          listingId: '5',
          savedPrice: null,
          card: cardOf(buildListing({ id: '5', title: '2015 Mazda3' }), buildOwner()),
        },
      ],
    });
    expect(screen.getByRole('link', { name: '2015 Mazda3' })).toBeVisible();
    act(() =>
      shell.bus.emit(
        'session.changed',
        { signedIn: true, account: null, savedListingIds: ['7', '5'] },
        'leads',
      ),
    );
    await screen.findByRole('link', { name: '2021 Ford F-150 XLT' });
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(actionOf(formOf('Remove 2021 Ford F-150 XLT'))).toEqual({ id: '7' });
  });
});

it.each([
  [30_000, 28_000, '$2,000 less than when you saved it'],
  [30_000, 31_500, '$1,500 more than when you saved it'],
  [30_000, 30_000, undefined],
  [null, 30_000, undefined],
  [30_000, null, undefined],
])('describes a price change from %s to %s as %s', (savedPrice, price, text) =>
  expect(priceChange(savedPrice, price)).toBe(text),
);
