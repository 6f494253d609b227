import { afterEach, describe, expect, it } from '@jest/globals';
import type { Trim } from '@forecourt/shared-contracts/entities';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const trim = (changes: Partial<Trim>): Trim => ({
  vehicleId: 'xl',
  trimName: 'XL',
  bodyStyle: 'Truck',
  engineType: 'Gas',
  fuelTypeGroup: 'GSL',
  year: 2026,
  epaCity: 20,
  epaHwy: 26,
  nationalMSRP: 40_000,
  imagePath: '/x.svg',
  atcMake: 'Ford',
  atcModel: 'F-150',
  atcMakeCode: 'FORD',
  atcModelCode: 'F150',
  ...changes,
});
const YEARS = {
  links: ['2027', '2026'].map((value) => ({
    value,
    label: value,
    link: `/cars-for-sale/new/${value}/ford/f150`,
    count: 81,
    startingPrice: 36_848,
  })),
};

async function start(
  items: readonly Trim[] = [
    trim({}),
    trim({ vehicleId: 'raptor', trimName: 'Raptor <R>', nationalMSRP: 80_000 }),
  ],
) {
  const rig = await startShell({
    answers: { newModelYears: () => YEARS, referenceVehicles: () => ({ items: [...items] }) },
  });
  rigs.push(rig);
  return rig;
}
const PAGE = '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150';

describe('the page on which a new vehicle is put together', () => {
  it('stands at the path that the results link to, for one make and model', async () => {
    const rig = await start();
    const { status, text } = await rig.send(PAGE);
    expect(status).toBe(200);
    expect(text).toContain('<h1 class="fp-title">Build your price: new Ford F-150</h1>');
    expect(rig.calls.find(({ name }) => name === 'referenceVehicles')?.params).toBe(
      'yearId=2027&atcMakeCode=FORD&atcModelCode=F150',
    );
  });

  it('prices the cheapest trim, until another one is chosen', async () => {
    const { send } = await start();
    expect((await send(PAGE)).text).toContain('data-payment="price">$40,000<');
    const { text } = await send(`${PAGE}&trim=raptor&down=8000&term=72&apr=0`);
    expect(text).toContain('data-payment="price">$80,000<');
    expect(text).toContain('data-payment="monthly">$1,000<');
    expect(text).toContain('Raptor &lt;R&gt;');
  });

  it('links to what of it is for sale', async () => {
    const { send } = await start();
    expect((await send(`${PAGE}&year=2026`)).text).toContain(
      '<a href="/cars-for-sale/new/2026/ford/f150">See 81 new 2026 Ford F-150 for sale from $36,848</a>',
    );
  });

  it('offers the newest year when the query names none that is for sale', async () => {
    const rig = await start();
    await rig.send(`${PAGE}&year=1908`);
    expect(rig.calls.find(({ name }) => name === 'referenceVehicles')?.params).toContain('yearId=2027');
  });

  it.each(['', '?makeCode=FORD', '?makeCode=NOPE&modelCode=F150', '?makeCode=FORD&modelCode=NOPE'])(
    'lets the visitor choose a model for %j',
    async (query) => {
      const { send } = await start();
      const { status, text } = await send(`/cars-for-sale/build-your-price${query}`);
      expect(status).toBe(200);
      expect(text).toContain('<select id="build-make" name="makeCode">');
    },
  );

  it('says when nothing of a model can be built', async () => {
    const { send } = await start([trim({ nationalMSRP: undefined })]);
    expect((await send(PAGE)).text).toContain('Nothing new of the Ford F-150 can be built at the moment.');
  });

  it('is found at its short path, too', async () => {
    const { send } = await start();
    const { status, headers } = await send('/build-your-price?makeCode=FORD&modelCode=F150');
    expect(status).toBe(301);
    expect(headers.location).toBe(PAGE);
  });
});
