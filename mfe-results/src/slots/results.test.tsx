/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, waitFor, within } from '@testing-library/react';
import { FLAGS } from '@forecourt/search/brands';
import { createStore, moreLoaded, moreStarted, marketplaceState } from '@forecourt/search/state';
import { buildOwner, buildState } from '@forecourt/search/testing';
import type { SlotEnvironment } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import { cards, listings, mountResults, noSpotlights, openMenus } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import module from './results.tsx';

beforeEach(prepareViewport);

describe('rendering', () => {
  it("hydrates the server's HTML without a mismatch for any stored tab state", async () => {
    sessionStorage.setItem(
      'compare',
      JSON.stringify([{ id: '1', title: 'Vehicle 1', href: '/cars-for-sale/vehicle/1', rows: {} }]),
    );
    const state = buildState(
      { listings: listings(1, 3), totalResultCount: 90 },
      { flags: { ...FLAGS }, visitorZip: null },
    );
    const idle = async () => {
      throw new Error('no calls');
    };
    const { signal } = new AbortController();
    const { html } = await renderSlot(marketplaceState, module, {
      slot: 'results',
      state,
      call: idle,
      signal,
    });
    const element = document.createElement('div');
    document.body.append(element);
    const server = new DOMParser().parseFromString(html, 'text/html');
    element.append(...server.body.childNodes);
    const onError = jest.fn();
    const environment: SlotEnvironment = {
      slot: 'results',
      emit: () => {},
      listen: () => () => {},
      call: idle,
      attachOutlet: () => () => {},
    };
    const options = { module: module, element, store: createStore(state), environment };
    let mounted: ReturnType<typeof mountSlot> | undefined;
    await act(async () => {
      mounted = mountSlot({ ...options, server: { state, data: undefined }, onReady: () => {}, onError });
    });
    expect(onError).not.toHaveBeenCalled();
    await openMenus();
    expect(within(element).getByRole('button', { name: 'Added to Compare Vehicle 1' })).toBeVisible();
    act(() => mounted?.unmount());
    element.remove();
  });

  it('re-renders no existing card when a page is appended', async () => {
    const [first, ...others] = listings(1, 30);
    if (!first) throw new Error('no listing');
    let readCount = 0;
    const countedProperty = { enumerable: true, get: () => (readCount++, first.title) };
    // Frozen like a listing in the store; counts the reads of its properties.
    const observedListing = Object.freeze(Object.defineProperty({ ...first }, 'title', countedProperty));
    const { store } = mountResults({
      listings: [observedListing, ...others],
      pageSizes: [30],
      totalResultCount: 90,
    });
    const before = readCount;
    const page = {
      listings: listings(31, 30),
      owners: { d1: buildOwner() },
      spotlights: noSpotlights,
      firstRecord: 30,
      url: '/cars-for-sale/all-cars?firstRecord=30',
    };
    act(() => void store.dispatch(moreStarted({ requestId: 'm' })));
    act(() => void store.dispatch(moreLoaded({ requestId: 'm', page })));
    await waitFor(() => expect(cards()).toHaveLength(60), { timeout: 10_000 });
    expect(readCount).toBe(before);
  });
});
