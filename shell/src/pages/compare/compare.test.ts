import { afterEach, describe, expect, it } from '@jest/globals';
import { ownerSchema } from '@forecourt/shared-contracts/entities';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import fc from 'fast-check';
import { CallFailure } from '../../gateway/callFailure.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import { compareRows, type Compared } from './compareRows.ts';
import { comparedIds, compareUrl } from './compareUrl.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

const vehicle = (changes: Partial<Parameters<typeof buildListing>[0]> = {}): Compared => ({
  listing: CALLS.listing.response.shape.listing.parse(buildListing(changes)),
  owner: ownerSchema.parse(buildOwner()),
});
const rowOf = (vehicles: readonly Compared[], label: string) =>
  compareRows(vehicles).find((row) => row.label === label);

describe('the rows of a comparison', () => {
  it('say where vehicles differ, and which value is the best', () => {
    const cheap = vehicle({ pricingDetail: { derivedPrice: 10_000 }, year: 2015 });
    const dear = vehicle({ pricingDetail: { derivedPrice: 20_000 }, year: 2022 });
    expect(rowOf([dear, cheap], 'Price')).toMatchObject({
      values: ['$20,000', '$10,000'],
      isDifferent: true,
      best: [1],
    });
    expect(rowOf([dear, cheap], 'Year')?.best).toEqual([0]);
    expect(rowOf([dear, cheap], 'Drive')).toMatchObject({ isDifferent: false, best: [] });
  });

  it('call nothing the best that is not known of two, or the same of all', () => {
    const priced = vehicle({ pricingDetail: { derivedPrice: 10_000 } });
    const unpriced = vehicle({ pricingDetail: {} });
    expect(rowOf([priced, unpriced], 'Price')).toMatchObject({
      values: ['$10,000', 'Call for price'],
      best: [],
    });
    expect(rowOf([priced, priced], 'Price')?.best).toEqual([]);
  });

  it('leave out what nobody knows, and write a dash for what one does not', () => {
    const electric = vehicle({ specifications: { mileRange: 300 } });
    expect(rowOf([vehicle(), vehicle()], 'Electric range')).toBeUndefined();
    expect(rowOf([vehicle(), electric], 'Electric range')?.values).toEqual(['–', '300 mi']);
  });
});

describe('the query of a comparison', () => {
  // rows: A9-LIMIT-02
  it('holds at most five listings, each once', () => {
    expect(comparedIds(new URLSearchParams('listingIds=1,2,2, 3,4,5,6'))).toEqual(['1', '2', '3', '4', '5']);
    expect(comparedIds(new URLSearchParams('listingIds=<x>,,../1'))).toEqual([]);
  });

  it('comes back from the link to it', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 5 }), (ids) => {
        expect(comparedIds(new URL(compareUrl(ids), 'http://x').searchParams)).toEqual(ids);
      }),
    );
  });
});

describe('the page that compares', () => {
  const rigs: ShellRig[] = [];
  afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
  async function start(): Promise<ShellRig> {
    const rig = await startShell({
      answers: {
        listing: (params) => {
          const id = params.get('id') ?? '';
          if (id === 'gone') throw new CallFailure('REFUSED', 'listing', 'gone', 404);
          if (id === 'down') throw new CallFailure('UNREACHABLE', 'listing', 'down');
          return vehicle({ id, title: `Vehicle <${id}>` });
        },
      },
    });
    rigs.push(rig);
    return rig;
  }

  it('shows each vehicle in its column, with a way to take it out', async () => {
    const { send } = await start();
    const { status, text } = await send('/cars-for-sale/compare?listingIds=1,2');
    expect(status).toBe(200);
    expect(text.match(/<th scope="col">/g)).toHaveLength(2);
    expect(text).toContain('Vehicle &lt;1&gt;');
    expect(text).toContain('href="/cars-for-sale/compare?listingIds=2">Remove');
    expect(text).toContain('<meta name="robots" content="noindex">');
  });

  it('says which of them are gone, and compares the rest', async () => {
    const { send } = await start();
    const { text } = await send('/cars-for-sale/compare?listingIds=1,gone');
    expect(text).toContain('One of these vehicles is no longer for sale.');
    expect(text.match(/<th scope="col">/g)).toHaveLength(1);
  });

  it('leads to the results when there is nothing to compare, and to the error screen when nobody can tell', async () => {
    const { send } = await start();
    expect((await send('/cars-for-sale/compare')).text).toContain(
      'href="/cars-for-sale/all-cars">See cars for sale',
    );
    expect((await send('/cars-for-sale/compare?listingIds=down')).status).toBe(500);
  });
});
