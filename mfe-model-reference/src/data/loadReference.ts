import type { Chip } from '@forecourt/search/catalog';
import {
  type FilterParam,
  type FilterValues,
  type SearchCriteria,
  singleValue,
  singleYear,
  withValues,
} from '@forecourt/search/criteria';
import { type QueryOptions, toSearchQuery } from '@forecourt/search/query';
import { type RootState, selectCurrentYear } from '@forecourt/search/state';
import type { LoadContext } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { CrawlLink, Trim } from '@forecourt/upstream/entities';
import { type MileageFaq, mileageFaq } from './mileageFaq.ts';

/** Model years in the trim comparison. */
export const compareTrimYears = (currentYear: number): readonly number[] => [currentYear, currentYear + 1];

export type ConsumerRatings = CallResponses['consumerRatings'];
type ModelInfo = CallResponses['modelInfo']['models'][number];
export type SafetyInfo = CallResponses['safety'];

/** ms; later parts are left out of the server's page, so that they don't make the whole slot miss its deadline. */
const SERVER_MS = 600;

/** Waits for the parts of one load. */
interface Parts {
  /** The response, or `fallback` when the call fails or is late; the gateway logs why. */
  readonly orElse: <T, E>(response: Promise<T>, fallback: E) => Promise<T | E>;
  /** True if a late part was left out. */
  readonly isPartial: () => boolean;
}

/** On the server, all parts share one deadline; the browser waits for the calls' own timeouts. */
function collectParts(): Parts {
  const deadline = typeof document === 'undefined' ? performance.now() + SERVER_MS : undefined;
  let isPartial = false;
  return {
    isPartial: () => isPartial,
    async orElse(response, fallback) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<typeof fallback>((resolve) => {
        if (deadline === undefined) return;
        timer = setTimeout(
          () => {
            isPartial = true;
            resolve(fallback);
          },
          Math.max(0, deadline - performance.now()),
        );
      });
      try {
        return await Promise.race([response, timeout]);
      } catch {
        return fallback;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Query of the great-price count: nationwide, great prices only. */
export function toGreatPriceCountQuery(criteria: SearchCriteria, context: QueryOptions): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  params.delete('area');
  params.set('searchRadius', '0');
  params.set('dealType', 'greatprice');
  return params;
}

/** The make and model that the section is about. */
export interface ReferencedModel {
  readonly makeCode: string;
  readonly modelCode: string;
}

/** Make and model of a search for exactly one of each. */
export function referencedModel(criteria: Pick<SearchCriteria, 'filters'>): ReferencedModel | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  return makeCode && modelCode ? { makeCode, modelCode } : undefined;
}

/** 'Ford F-150', from the labels of the chips; falls back to the codes. */
export function modelName({ makeCode, modelCode }: ReferencedModel, chips: readonly Chip[]): string {
  const labelOf = (param: 'makeCode' | 'modelCode', code: string) =>
    chips.find((chip) => chip.param === param && chip.values.includes(code))?.label ?? code;
  return `${labelOf('makeCode', makeCode)} ${labelOf('modelCode', modelCode)}`;
}

type Params = Readonly<Record<string, string>>;

const requestContext = ({ session }: RootState): QueryOptions => ({
  brand: session.brand,
  ...(session.visitorZip && { visitorZip: session.visitorZip }),
});

/** Parameters of the crawl calls: the search's place and condition, so that prices match its listings. */
function crawlParams(state: RootState): Params {
  const search = toSearchQuery(state.search.criteria, requestContext(state));
  const names = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
}

/** The search nationwide, great prices only. */
const greatPriceParams = (state: RootState): Params =>
  Object.fromEntries(toGreatPriceCountQuery(state.search.criteria, requestContext(state)));

/** The search, used vehicles only. */
function usedCountParams(state: RootState): Params {
  const { criteria } = state.search;
  const usedCriteria = { ...criteria, filters: withValues(criteria.filters, 'listingType', ['USED']) };
  return Object.fromEntries(toSearchQuery(usedCriteria, requestContext(state)));
}

/** Used listings of the model, nationwide. */
const mileageParams = ({ makeCode, modelCode }: ReferencedModel): Params => ({
  makeCode,
  modelCode,
  listingType: 'USED',
});

/** Data about one make and model, in USD and miles. Unavailable parts are empty or null. */
export interface ReferenceData extends ReferencedModel {
  readonly modelYearsData: readonly CrawlLink[];
  readonly trimsData: readonly CrawlLink[];
  /** Great-price listings nationwide; null if the count failed. */
  readonly greatPriceListingCount: number | null;
  /** ZIP code and miles that the prices are from; null for nationwide. */
  readonly area: { readonly zip: string; readonly radius: number } | null;
  readonly safetyInfo: SafetyInfo | null;
  /** Model year of safety and ratings. */
  readonly researchedYear: number | null;
  readonly ratings: ConsumerRatings | null;
  /** Trims of the current and the next model year. */
  readonly trims: readonly Trim[];
  readonly modelInfo: ModelInfo | null;
  readonly mileage: MileageFaq | null;
  /** Used listings of the search; null if the count failed. */
  readonly usedCount: number | null;
  /** The server left out late parts: the browser loads all of them again. */
  readonly isPartial: boolean;
}

/** Trims of the compared years, with safety and ratings of the search's model year, or else the newest. */
async function loadResearch(
  { state, call, signal }: LoadContext,
  { makeCode, modelCode }: ReferencedModel,
  { orElse }: Parts,
) {
  const { filters } = state.search.criteria;
  const compareYears = compareTrimYears(selectCurrentYear(state));
  const searchedYear = singleYear(filters);
  const trimsOf = async (year: number): Promise<readonly Trim[]> =>
    (
      await orElse(
        call(
          'referenceVehicles',
          { yearId: String(year), atcMakeCode: makeCode, atcModelCode: modelCode },
          { signal },
        ),
        { items: [] },
      )
    ).items;
  const [trims, ofYear] = await Promise.all([
    Promise.all(compareYears.map(trimsOf)).then((lists) => lists.flat()),
    searchedYear === undefined || compareYears.includes(Number(searchedYear))
      ? undefined
      : trimsOf(Number(searchedYear)),
  ]);
  const candidates =
    ofYear ?? trims.filter(({ year }) => searchedYear === undefined || year === Number(searchedYear));
  const vehicle = candidates.reduce<Trim | undefined>(
    (newest, trim) => (newest && newest.year >= trim.year ? newest : trim),
    undefined,
  );
  if (!vehicle) return { trims, safetyInfo: null, ratings: null, researchedYear: null };
  const params = { vehicleId: vehicle.vehicleId };
  const [safetyInfo, ratings] = await Promise.all([
    orElse(call('safety', params, { signal }), null),
    shouldLoadRatings(filters) ? orElse(call('consumerRatings', params, { signal }), null) : null,
  ]);
  return { trims, safetyInfo, ratings, researchedYear: vehicle.year };
}

/** Facts about the model in the search's year; null if unknown. */
async function loadModelInfo(
  { state, call, signal }: LoadContext,
  model: ReferencedModel,
  { orElse }: Parts,
) {
  const startYear = singleYear(state.search.criteria.filters) ?? String(selectCurrentYear(state));
  const response = await orElse(
    call('modelInfo', { ...model, startYear, numRecords: '1' }, { signal }),
    null,
  );
  return response && 'models' in response ? (response.models[0] ?? null) : null;
}

/** Loads all parts in parallel; null without a single make and model. A failed call only affects its own part. */
export async function loadReference(context: LoadContext): Promise<ReferenceData | null> {
  const { state, call, signal } = context;
  const model = referencedModel(state.search.criteria);
  if (!model || !state.session.flags['modelReference']) return null;
  const parts = collectParts();
  const { orElse } = parts;
  const params = crawlParams(state);
  const isNew = singleValue(state.search.criteria, 'listingType') === 'NEW';
  const noLinks = { links: [] };
  const [years, trims, greatPrice, used, mileage, modelInfo, research] = await Promise.all([
    orElse(call(isNew ? 'newModelYears' : 'modelYears', params, { signal }), noLinks),
    orElse(call(isNew ? 'newTrims' : 'trims', params, { signal }), noLinks),
    orElse(call('count', greatPriceParams(state), { signal }), null),
    orElse(call('count', usedCountParams(state), { signal }), null),
    orElse(call('mileageStats', mileageParams(model), { signal }), null),
    loadModelInfo(context, model, parts),
    loadResearch(context, model, parts),
  ]);
  const radius = Number(params['searchRadius'] ?? 0);
  return {
    ...model,
    ...research,
    modelYearsData: years.links,
    trimsData: trims.links,
    greatPriceListingCount: greatPrice && greatPrice.totalResultCount,
    usedCount: used && used.totalResultCount,
    area: params['zip'] && radius > 0 ? { zip: params['zip'], radius } : null,
    modelInfo,
    mileage: (mileage && mileageFaq(mileage)) ?? null,
    isPartial: parts.isPartial(),
  };
}

/** Changes with the parameters of the calls; empty if there is nothing to load. */
export function referenceKey(state: RootState): string {
  const { criteria } = state.search;
  if (!state.session.flags['modelReference'] || !referencedModel(criteria)) return '';
  const { searchRadius = '' } = crawlParams(state);
  return `${new URLSearchParams(greatPriceParams(state))}&radius=${searchRadius}`;
}

/** Filters that narrow the search below the model when they have a single value. */
const NARROWING: readonly FilterParam[] = ['vehicleStyleCode', 'driveGroup', 'engineCode', 'fuelTypeGroup'];

/**
 * Should consumer ratings be loaded for this search? Only for one make, model and year without a trim, and
 * only without a filter that excludes what the ratings are about.
 */
export function shouldLoadRatings(filters: FilterValues): boolean {
  const isOneModelOfAYear =
    singleValue({ filters }, 'makeCode') !== undefined &&
    singleValue({ filters }, 'modelCode') !== undefined &&
    singleYear(filters) !== undefined &&
    !filters.trimCode?.length;
  const isNewOrCertified = filters.listingType?.some((type) => type === 'NEW' || type === 'CERTIFIED');
  const isPrivate = filters.sellerType?.includes('p');
  const hasOneBound = !filters.minPrice?.length !== !filters.maxPrice?.length;
  return (
    isOneModelOfAYear &&
    !isNewOrCertified &&
    !isPrivate &&
    !NARROWING.some((param) => singleValue({ filters }, param) !== undefined) &&
    !hasOneBound &&
    !filters.mpgRange?.length
  );
}
