import { afterEach, describe, expect, it } from '@jest/globals';
import type { SearchLoaded } from '@forecourt/search/state';
import { buildListing } from '@forecourt/search/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const USED_F150 = '/cars-for-sale/used/ford/f150?searchRadius=50&zip=60601';

const listing = (id: string) => buildListing({ id });

async function shellWith(
  totalResultCount: number,
  newCarBoost: () => unknown = () => ({ listings: [listing('new')], owners: [] }),
): Promise<ShellRig> {
  const rig = await startShell({
    answers: {
      search: () =>
        searchResponseSchema.parse({
          listings: [listing('1')],
          owners: [],
          totalResultCount,
          boost: [listing('boosted')],
        }),
      newCarBoost,
    },
  });
  rigs.push(rig);
  return rig;
}
const ask = async ({ send }: ShellRig, path: string) =>
  JSON.parse((await send(`/cars-for-sale/api/${path}`)).text) as { page: SearchLoaded };
const callsOf = ({ calls }: ShellRig, name: string) => calls.filter((call) => call.name === name);

describe('new-car boosts', () => {
  // rows: B9-GRID-07
  it("precede the response's boosts from 75 results on, and are not requested below", async () => {
    const many = await shellWith(75);
    const { page } = await ask(many, `search?url=${encodeURIComponent(USED_F150)}`);
    expect(page.boost.map(({ id }) => id)).toEqual(['new', 'boosted']);
    const [call] = callsOf(many, 'newCarBoost');
    expect(Object.fromEntries(new URLSearchParams(call?.params))).toMatchObject({
      firstRecord: '0',
      numRecords: '2',
      modelCodeToBoost: 'F150',
    });

    const few = await shellWith(74);
    expect((await ask(few, `search?url=${encodeURIComponent(USED_F150)}`)).page.boost).toHaveLength(1);
    expect(callsOf(few, 'newCarBoost')).toEqual([]);
  });

  // rows: B5-BOOST-01, B5-BOOST-02, B5-BOOST-03, B5-BOOST-04, B5-BOOST-05
  it.each([
    ['without a ZIP', '/cars-for-sale/used/ford/f150'],
    ['for new cars', '/cars-for-sale/new/ford/f150?searchRadius=50&zip=60601'],
    ['up to an old year', `${USED_F150}&endYear=2018`],
    ['from the current year on', `${USED_F150}&startYear=${new Date().getFullYear()}`],
    ['for private sellers', `${USED_F150}&sellerType=p`],
  ])('are not requested by a search %s', async (_, url) => {
    const rig = await shellWith(75);
    const { page } = await ask(rig, `search?url=${encodeURIComponent(url)}`);
    expect(page.boost.map(({ id }) => id)).toEqual(['boosted']);
    expect(callsOf(rig, 'newCarBoost')).toEqual([]);
  });

  it('are left out when they are too late', async () => {
    const rig = await shellWith(75, () => new Promise(() => {}));
    const { page } = await ask(rig, `search?url=${encodeURIComponent(USED_F150)}`);
    expect(callsOf(rig, 'newCarBoost')).toHaveLength(1);
    expect(page.boost.map(({ id }) => id)).toEqual(['boosted']);
  });

  // rows: B5-BOOST-05
  it('are requested by a search for dealers', async () => {
    const rig = await shellWith(75);
    await ask(rig, `search?url=${encodeURIComponent(`${USED_F150}&sellerType=d`)}`);
    expect(callsOf(rig, 'newCarBoost')).toHaveLength(1);
  });
});
