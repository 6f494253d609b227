import { singleValue, type SearchCriteria, withValues } from '@forecourt/shared-contracts/criteria';
import { toGreatPriceCountQuery } from '../greatPriceCount.ts';
import { type RequestContext, toSearchQuery } from '@forecourt/shared-contracts/query';
import { type Chip } from '@forecourt/shared-contracts/catalog';
import { type RootState, selectCurrentYear } from '@forecourt/shared-contracts/store';
import type { ConsumerRatings, ModelInfo, SafetyInfo } from '../callTypes.ts';
import type { CrawlLink, Trim } from '@forecourt/shared-contracts/entities';
import { asksForRatings } from '../panels/ratingsLookup.ts';
import { compareTrimYears } from '../yearsAndTrims.ts';
import { type MileageFaq, mileageFaq } from '../panels/mileageFaq.ts';
import { singleYear } from '@forecourt/shared-contracts/criteria';
import type { LoadContext } from '@forecourt/shared-contracts/slots';
import { collectParts, type Parts } from './parts.ts';

/** The one make and model that the section is about. */
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

/** 'Ford F-150' by the labels of the chips; a code stands in for a label that is not there. */
export function modelName({ makeCode, modelCode }: ReferencedModel, chips: readonly Chip[]): string {
  const labelOf = (param: 'makeCode' | 'modelCode', code: string) =>
    chips.find((chip) => chip.param === param && chip.values.includes(code))?.label ?? code;
  return `${labelOf('makeCode', makeCode)} ${labelOf('modelCode', modelCode)}`;
}

type Params = Readonly<Record<string, string>>;

const requestContext = ({ session }: RootState): RequestContext => ({
  brand: session.brand,
  ...(session.visitorZip && { visitorZip: session.visitorZip }),
});

/** Query of the crawl calls: the place and condition of the search itself, so that prices agree with its listings (AMB-067). */
export function crawlParams(state: RootState): Params {
  const search = toSearchQuery(state.search.criteria, requestContext(state));
  const names = ['makeCode', 'modelCode', 'listingType', 'zip', 'searchRadius'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
}

/** The search over the whole country, great prices only (A7-COUNT-01). */
export const greatPriceParams = (state: RootState): Params =>
  Object.fromEntries(toGreatPriceCountQuery(state.search.criteria, requestContext(state)));

/** The search, used vehicles only (B4-MR-03). */
export function usedCountParams(state: RootState): Params {
  const { criteria } = state.search;
  const used = { ...criteria, filters: withValues(criteria.filters, 'listingType', ['USED']) };
  return Object.fromEntries(toSearchQuery(used, requestContext(state)));
}

/** Mileages of the model's used listings everywhere (A7-MILE-01). */
export const mileageParams = ({ makeCode, modelCode }: ReferencedModel): Params => ({
  makeCode,
  modelCode,
  listingType: 'USED',
});

/** All that the section tells of one make and model; USD and miles. What could not be had is empty or null. */
export interface ReferenceData extends ReferencedModel {
  readonly modelYearsData: readonly CrawlLink[];
  readonly trimsData: readonly CrawlLink[];
  /** Great-price listings in the whole country; null when the count failed. */
  readonly greatPriceListingCount: number | null;
  /** ZIP and miles within which the prices were asked; null = the whole country. */
  readonly area: { readonly zip: string; readonly radius: number } | null;
  readonly safetyInfo: SafetyInfo | null;
  /** The year that safety and ratings are about. */
  readonly researchedYear: number | null;
  readonly ratings: ConsumerRatings | null;
  /** Trims of the current and the next model year (B9-TRIMS-03). */
  readonly trims: readonly Trim[];
  readonly modelInfo: ModelInfo | null;
  readonly mileage: MileageFaq | null;
  /** Used listings of the search; null when the count failed. */
  readonly usedCount: number | null;
  /** The server went without parts that were late: a browser loads again. */
  readonly isPartial: boolean;
}

/** Trims by model year, and what is known of the vehicle that the search is about: of its year, else of the newest. */
async function loadResearch(
  { state, call, signal }: LoadContext,
  { makeCode, modelCode }: ReferencedModel,
  { orElse }: Parts,
) {
  const { filters } = state.search.criteria;
  const compared = compareTrimYears(selectCurrentYear(state));
  const asked = singleYear(filters);
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
    Promise.all(compared.map(trimsOf)).then((lists) => lists.flat()),
    asked === undefined || compared.includes(Number(asked)) ? undefined : trimsOf(Number(asked)),
  ]);
  const candidates = ofYear ?? trims.filter(({ year }) => asked === undefined || year === Number(asked));
  const vehicle = candidates.reduce<Trim | undefined>(
    (newest, trim) => (newest && newest.year >= trim.year ? newest : trim),
    undefined,
  );
  if (!vehicle) return { trims, safetyInfo: null, ratings: null, researchedYear: null };
  const params = { vehicleId: vehicle.vehicleId };
  const [safetyInfo, ratings] = await Promise.all([
    orElse(call('safety', params, { signal }), null),
    asksForRatings(filters) ? orElse(call('consumerRatings', params, { signal }), null) : null,
  ]);
  return { trims, safetyInfo, ratings, researchedYear: vehicle.year };
}

/** What a model of the year is; null when nobody knows. */
async function loadModelInfo(
  { state, call, signal }: LoadContext,
  model: ReferencedModel,
  { orElse }: Parts,
) {
  const startYear = singleYear(state.search.criteria.filters) ?? String(selectCurrentYear(state));
  const answer = await orElse(call('modelInfo', { ...model, startYear, numRecords: '1' }, { signal }), null);
  return answer && 'models' in answer ? (answer.models[0] ?? null) : null;
}

/**
 * Loads all parts side by side; null without a single make and model. A call
 * that fails costs its own part only.
 */
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

/** Changes with everything that the calls are asked by; empty when there is nothing to load. */
export function referenceKey(state: RootState): string {
  const { criteria } = state.search;
  if (!state.session.flags['modelReference'] || !referencedModel(criteria)) return '';
  const { searchRadius = '' } = crawlParams(state);
  return `${new URLSearchParams(greatPriceParams(state))}&radius=${searchRadius}`;
}
