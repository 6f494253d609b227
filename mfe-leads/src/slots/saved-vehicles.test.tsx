/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { marketplaceState } from '@forecourt/search/state';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import type { PageHead, SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import type { CallName, CallParams } from '@forecourt/upstream/calls';
import savedVehicles from './saved-vehicles.tsx';
import { priceChange } from '../savedPages/SavedVehicles.tsx';

type Responses = Partial<Record<CallName, unknown>>;

/** Renders a slot as the server does, puts its HTML into the document, and returns its head and calls. */
async function renderPage(module: SlotModule, url: string, responses: Responses) {
  const calls: { name: CallName; params: CallParams }[] = [];
  const call = async (name: CallName, params: CallParams) => {
    calls.push({ name, params });
    const response = responses[name];
    if (response instanceof Error) throw response;
    return response as never;
  };
  const { html, page } = await renderSlot(marketplaceState, module, {
    slot: 'saved',
    state: { ...buildState(), page: { kind: 'saved-searches', url, referrer: null } },
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

  it('marks vehicles that are no longer for sale', async () => {
    await renderPage(savedVehicles, PATH, {
      savedListings,
      listing: Object.assign(new Error('gone'), { code: 'REFUSED' }),
    });
    expect(screen.getByRole('heading', { name: 'No longer for sale' })).toBeVisible();
    expect(actionOf(formOf('Remove the vehicle that is no longer for sale'))).toEqual({ id: '7' });
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

it.each([
  [30_000, 28_000, '$2,000 less than when you saved it'],
  [30_000, 31_500, '$1,500 more than when you saved it'],
  [30_000, 30_000, undefined],
  [null, 30_000, undefined],
  [30_000, null, undefined],
])('describes a price change from %s to %s as %s', (savedPrice, price, text) =>
  expect(priceChange(savedPrice, price)).toBe(text),
);
