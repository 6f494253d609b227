import type { CallName } from '@forecourt/upstream/calls';
import { slotHtml } from '@forecourt/harness/serverHtml';
import type { Stack } from '@forecourt/local';
import { type Finding, reported, required, countOf, metricsOf } from '../proof.ts';
import { type Shopper, type Visit } from '@forecourt/harness/shopper';
import { clearFaults, inject, type Mode, MODES, REQUIRED_SLOTS, STALE_NOTE } from './upstreamFaults.ts';

/** A page without faults sends its first bytes much sooner; calls of a slow upstream take 3 s. ms */
const MAX_FIRST_MS = 1_500;
/** Faults of one call within ten seconds stay below those that open its breaker. */
const CALM_MS = 2_500;

/** Searches of different models and places: other cells have no cached response of the same call. */
const MODELS = ['ford/f150', 'toyota/camry', 'honda/civic', 'ford/explorer'];
const ZIPS = ['60601', '10001', '94103', '30303', '77002', '98101', '33101', '85004', '02108', '80202'];

interface Target {
  readonly page: string;
  readonly isSignedIn: boolean;
  /** Path of the `number`th request. */
  readonly path: (number: number) => string;
  /** Text that a usable page has. */
  readonly shows: RegExp;
  /** Calls that the page can do without, with the slots that may be empty then. */
  readonly optional: Readonly<Partial<Record<CallName, readonly string[]>>>;
  /** Calls without which the page is an error screen. */
  readonly essential: readonly CallName[];
}

const resultsPath = (number: number) =>
  `/cars-for-sale/all/${MODELS[number % MODELS.length]}?maxPrice=${90_000 + number}&searchRadius=0&zip=${ZIPS[number % ZIPS.length]}`;

const REFERENCE = ['model-reference'];
const RESULTS_CALLS: Target['optional'] = {
  premiumSpotlights: [],
  spotlights: [],
  vehicleHighlight: [],
  newCarBoost: [],
  zipLookup: ['location-editor'],
  consumerRatings: REFERENCE,
  count: REFERENCE,
  mileageStats: REFERENCE,
  modelInfo: REFERENCE,
  modelYears: REFERENCE,
  newTrims: REFERENCE,
  referenceVehicles: REFERENCE,
  safety: REFERENCE,
  trims: REFERENCE,
};

/** `ids` are listings for sale. */
const targetsFor = (ids: readonly string[]): readonly Target[] => {
  const id = (number: number) => ids[number % ids.length] as string;
  const vehicle = {
    path: (number: number) => `/cars-for-sale/vehicle/${id(number)}`,
    shows: /<h1/,
    optional: { similar: [], filterPreview: [], recordView: [] },
    essential: ['listing'],
  } as const;
  return [
    {
      page: 'results',
      isSignedIn: false,
      path: resultsPath,
      shows: /data-tile="/,
      optional: RESULTS_CALLS,
      essential: ['search'],
    },
    {
      page: 'results',
      isSignedIn: true,
      path: resultsPath,
      shows: /data-tile="/,
      optional: { savedListings: [], bookmarks: [], spotlights: [], vehicleHighlight: [] },
      essential: ['search'],
    },
    { page: 'vehicle', isSignedIn: false, ...vehicle },
    { page: 'vehicle', isSignedIn: true, ...vehicle },
    {
      page: 'compare',
      isSignedIn: false,
      path: (number) => `/cars-for-sale/compare?listingIds=${id(number)},${id(number + 1)}`,
      shows: /<h1/,
      optional: { similar: [] },
      essential: ['listing'],
    },
    {
      page: 'build-your-price',
      isSignedIn: false,
      path: () => '/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150',
      shows: /<h1/,
      optional: { newModelYears: [], referenceVehicles: [] },
      essential: [],
    },
    {
      page: 'saved-searches',
      isSignedIn: true,
      path: () => '/account/saved-searches',
      shows: /<h1/,
      optional: { emailAlerts: [] },
      essential: ['bookmarks'],
    },
    {
      page: 'saved-vehicles',
      isSignedIn: true,
      path: () => '/account/saved-vehicles',
      shows: /<h1/,
      optional: {},
      essential: ['savedListings'],
    },
  ];
};

const emptySlots = (html: string): readonly string[] =>
  [...html.matchAll(/data-slot="([a-z-]+)"[^>]*data-empty/g)].map(([, slot = '']) => slot);

interface Cell {
  readonly target: Target;
  readonly call: CallName;
  readonly mode: Mode;
  readonly visit: Visit;
  /** Slots that the page leaves to the browser, also without faults. */
  readonly browserSlots: readonly string[];
}

/** What is wrong with a page that lacks an optional call; undefined if the fault cost only its own part. */
function faultOf(
  { target, call, browserSlots, visit: { status, text, firstMs } }: Cell,
  limitsTime: boolean,
) {
  const allowed = [...browserSlots, ...(target.optional[call] ?? [])];
  const lost = emptySlots(text).filter((slot) => !allowed.includes(slot));
  if (status !== 200) return `status ${status}`;
  if (!text.endsWith('</html>')) return 'the page is truncated';
  if (!target.shows.test(text)) return 'the page has no content';
  if (target.page === 'results' && slotHtml(text, 'results') === '') return 'the page has no results';
  if (lost.length > 0) return `without ${lost.join(', ')}`;
  if (limitsTime && firstMs > MAX_FIRST_MS) return `first byte after ${Math.round(firstMs)} ms`;
  return undefined;
}

/** A whole error screen with its status, or older results that say so. */
const screenFaultOf = ({ visit: { status, text } }: Cell): string | undefined =>
  (status === 200 && text.includes(STALE_NOTE)) ||
  ([500, 503].includes(status) && /<h1|fc-message/.test(text) && text.endsWith('</html>'))
    ? undefined
    : `status ${status}`;

const nameOf = ({ target, call, mode }: Cell): string =>
  `${target.page} (signed ${target.isSignedIn ? 'in' : 'out'}), ${call} ${mode}`;

/** One row per page kind: each call of the page fails in each mode. */
export async function runMatrix(
  stack: Stack,
  shoppers: { readonly signedIn: Shopper; readonly signedOut: Shopper },
  { ids, say }: { readonly ids: readonly string[]; readonly say: (step: string) => void },
): Promise<readonly Finding[]> {
  const { shell, 'marketplace-api': api } = stack.urls;
  const findings: Finding[] = [];
  let number = 0;
  let met = 0;
  let cells = 0;
  for (const target of targetsFor(ids)) {
    const shopper = target.isSignedIn ? shoppers.signedIn : shoppers.signedOut;
    const browserSlots = emptySlots((await shopper.open(shell + target.path(number))).text);
    if (browserSlots.some((slot) => REQUIRED_SLOTS.includes(slot)))
      throw new Error(`${target.page} without faults lacks ${browserSlots.join(', ')}`);
    const wrong: string[] = [];
    const slowest = { firstMs: 0 };
    const calls = [...(Object.keys(target.optional) as CallName[]), ...target.essential];
    for (const mode of Object.keys(MODES) as Mode[]) {
      for (const call of calls) {
        const isEssential = target.essential.includes(call);
        number += 1;
        const before = countOf(await metricsOf(shell), 'forecourt_call_failures_total', `call="${call}"`);
        await inject(api, call, mode);
        const visit = await shopper.open(shell + target.path(number));
        await clearFaults(api);
        const cell: Cell = { target, call, mode, visit, browserSlots };
        const after = countOf(await metricsOf(shell), 'forecourt_call_failures_total', `call="${call}"`);
        if (after > before) met += 1;
        cells += 1;
        const fault =
          isEssential && after > before
            ? screenFaultOf(cell)
            : faultOf(cell, mode === 'slow' && !isEssential);
        if (fault !== undefined) wrong.push(`${nameOf(cell)}: ${fault}`);
        if (!isEssential) slowest.firstMs = Math.max(slowest.firstMs, visit.firstMs);
      }
      await calm();
    }
    const title = `${target.page}, signed ${target.isSignedIn ? 'in' : 'out'}`;
    say(`${title}: ${wrong.length === 0 ? 'holds' : wrong.join('; ')}`);
    const value = wrong.length === 0 ? '0' : `${wrong.length}: ${wrong.slice(0, 4).join('; ')}`;
    const total = calls.length * Object.keys(MODES).length;
    findings.push(
      required(
        `Pages that a fault cost more than its part, of ${total}: ${title}`,
        value,
        '0',
        wrong.length === 0,
      ),
      reported(`Slowest first byte: ${title}`, `${Math.round(slowest.firstMs)} ms`),
    );
  }
  // A response that the shell had cached needs no call; parts of pages that the search does not have neither.
  return [...findings, required('Faults that met a call', `${met} of ${cells}`, '≥ half', met * 2 >= cells)];
}

const calm = () => new Promise((resolve) => setTimeout(resolve, CALM_MS));
