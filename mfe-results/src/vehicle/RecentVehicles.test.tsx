/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildListing, buildOwner } from '@forecourt/search/testing';
import type { TestCalls } from '@forecourt/slots/testing';
import { CALLS } from '@forecourt/upstream/calls';
import { ownerSchema } from '@forecourt/upstream/entities';
import vehicle from '../slots/vehicle.tsx';
import { renderMainSlot } from '../testing/mountMainSlot.tsx';
import { mountResults } from '../testing/mountResults.ts';
import { prepareViewport, scrollTo } from '../testing/viewport.ts';

beforeEach(prepareViewport);

const listingOf = (id: string) => buildListing({ id, vin: `VIN${id}`, title: `Vehicle ${id}` });
const forSale = ['1', '2', '3'];
const listingsByVin = ({ vin = '' }: { vin?: string }) =>
  CALLS.listingsByVin.response.parse({
    listings: forSale.map(listingOf).filter((listing) => vin.split(',').includes(listing.vin)),
    owners: [],
  });

const untilIdle = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

async function openVehicle(id: string, calls: TestCalls = {}, isBot = false) {
  const listing = CALLS.listing.response.shape.listing.parse(listingOf(id));
  const { mount, html } = await renderMainSlot(vehicle, {
    page: { kind: 'vehicle', url: `/cars-for-sale/vehicle/${id}`, referrer: null },
    session: { isBot },
    calls: {
      listing: () => ({ listing, owner: ownerSchema.parse(buildOwner()) }),
      similar: () => ({ listings: [], owners: [] }),
      filterPreview: () => ({ totalResultCount: 0, filters: [] }),
      slugReference: () => ({ makes: [] }),
      vehicleModel: () => null,
      listingsByVin,
      ...calls,
    },
  });
  const { unmount } = mount();
  await untilIdle();
  return { html, unmount };
}
const list = () => screen.queryByRole('region', { name: 'Recently viewed' });
const names = () =>
  within(list()!)
    .queryAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);

describe('recently viewed vehicles', () => {
  it('lists the vehicles opened before, newest first, without the current one and those sold', async () => {
    for (const id of ['1', 'sold', '2', '1', '3']) (await openVehicle(id)).unmount();
    const { html } = await openVehicle('3');
    expect(html).not.toContain('Recently viewed');
    expect(names()).toEqual([]);
    await scrollTo(list()!);
    expect(names()).toEqual(['Vehicle 1', 'Vehicle 2']);
  });

  it('clears the list in the browser and the history of the upstream', async () => {
    (await openVehicle('1')).unmount();
    let isCleared = false;
    const { unmount } = await openVehicle('2', {
      clearBrowsingHistory: () => {
        isCleared = true;
        return null;
      },
    });
    await userEvent.click(within(list()!).getByRole('button', { name: 'Clear' }));
    expect(list()).toBeNull();
    expect(isCleared).toBe(true);
    unmount();
    await openVehicle('3');
    expect(list()).toBeNull();
  });

  it('shows no list when all were sold or the call fails, and none to bots', async () => {
    (await openVehicle('sold')).unmount();
    const { unmount } = await openVehicle('1');
    await scrollTo(list()!);
    expect(list()).toBeNull();
    unmount();
    const failing = await openVehicle('2', { listingsByVin: () => Promise.reject(new Error('down')) });
    await scrollTo(list()!);
    expect(list()).toBeNull();
    failing.unmount();
    await openVehicle('3', {}, true);
    expect(list()).toBeNull();
  });

  it('follows the results', async () => {
    (await openVehicle('1')).unmount();
    mountResults({}, {}, { listingsByVin });
    await untilIdle();
    await scrollTo(list()!);
    expect(names()).toEqual(['Vehicle 1']);
  });
});
