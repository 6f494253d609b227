import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RootState } from '@forecourt/search/state';
import type { CallName } from '@forecourt/upstream/calls';
import { BOOT_ELEMENT_ID, type PageContent, type BootJson } from '../../engine/universal/bootData.ts';
import { recordedPageSchema } from './schema.ts';

// Records the results pages of the release gate from a running shell and its API:
// `npm run record -w @forecourt/shell -- --shell http://localhost:3000`

const ORDINARY = '/cars-for-sale/all/ford/f150';
const EMPTY = '/cars-for-sale/all/ford/f150?maxPrice=1&zip=60601&searchRadius=10';
const MODEL = { makeCode: 'FORD', modelCode: 'F150' };

const { values } = parseArgs({ options: { shell: { type: 'string', default: 'http://localhost:3000' } } });

async function stateOf(url: string): Promise<RootState> {
  const response = await fetch(new URL(url, values.shell));
  const html = await response.text();
  const json = new RegExp(`<script[^>]*id="${BOOT_ELEMENT_ID}"[^>]*>(.*?)</script>`, 's').exec(html)?.[1];
  if (!response.ok || json === undefined) throw new Error(`${url}: no results page (${response.status})`);
  const { state, content } = JSON.parse(json) as BootJson;
  const { search } =
    typeof content === 'string'
      ? ((await (await fetch(new URL(content, values.shell))).json()) as PageContent)
      : content;
  // Replaces random and time-dependent values, so that the same inventory gives the same file.
  return {
    page: state.page,
    search: { ...search, requestId: 'recorded' },
    session: { ...state.session, today: '2026-06-15' },
  };
}

async function resultOf<T>(call: CallName, params: Record<string, string>): Promise<T> {
  const response = await fetch(
    new URL(`/cars-for-sale/api/call/${call}?${new URLSearchParams(params).toString()}`, values.shell),
  );
  if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function recordCalls(): Promise<Partial<Record<CallName, unknown>>> {
  const vehicles = await resultOf<{ items: { vehicleId: string }[] }>('referenceVehicles', {
    yearId: '2021',
    atcMakeCode: MODEL.makeCode,
    atcModelCode: MODEL.modelCode,
  });
  const vehicleId = vehicles.items[0]?.vehicleId ?? '';
  return {
    zipLookup: await resultOf('zipLookup', { zip: '60601' }),
    referenceVehicles: vehicles,
    safety: await resultOf('safety', { vehicleId }),
    consumerRatings: await resultOf('consumerRatings', { vehicleId }),
    modelInfo: await resultOf('modelInfo', { ...MODEL, startYear: '2021', numRecords: '1' }),
    modelYears: await resultOf('modelYears', MODEL),
    trims: await resultOf('trims', MODEL),
    count: await resultOf('count', MODEL),
    mileageStats: await resultOf('mileageStats', { ...MODEL, listingType: 'USED' }),
  };
}

function write(page: { name: string; url: string; state: RootState; answers: object }): void {
  recordedPageSchema.parse(page);
  const file = fileURLToPath(new URL(`${page.name}.json`, import.meta.url));
  writeFileSync(file, `${JSON.stringify(page)}\n`);
  process.stdout.write(`${page.name}: ${page.state.search.listings.length} listings\n`);
}

write({ name: 'empty', url: EMPTY, state: await stateOf(EMPTY), answers: {} });
write({
  name: 'ordinary',
  url: ORDINARY,
  state: await stateOf(ORDINARY),
  answers: await recordCalls(),
});
