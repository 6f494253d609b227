import type { LoadContext, PageHead } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { CrawlLink, Trim } from '@forecourt/upstream/entities';

export const BUILD_PATH = '/cars-for-sale/build-your-price';

type Makes = CallResponses['slugReference']['makes'];

interface CodeAndName {
  readonly code: string;
  readonly name: string;
}

interface ChosenModel {
  readonly makeCode: string;
  readonly modelCode: string;
  /** 'Ford F-150' */
  readonly name: string;
}

export type PricedTrim = Trim & { readonly nationalMSRP: number };

/** The visitor still has to choose a make and a model. */
export interface ModelChoice {
  readonly kind: 'choose-model';
  readonly makes: readonly CodeAndName[];
  readonly makeCode: string | null;
  /** Models of the chosen make; empty without one. */
  readonly models: readonly CodeAndName[];
  /** Name of the requested model when it has no new vehicles with a price. */
  readonly unavailable: string | null;
}

/** The trims of one model year, cheapest first; USD. */
export interface TrimChoice {
  readonly kind: 'choose-trim';
  readonly model: ChosenModel;
  /** Years with new vehicles for sale, newest first, each with its count. */
  readonly years: readonly CrawlLink[];
  readonly year: string;
  readonly trims: readonly PricedTrim[];
}

export type BuildData = ModelChoice | TrimChoice;

/** Query parameters of a page's path and query. */
export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));

const codesOf = (query: URLSearchParams) => ({
  makeCode: query.get('makeCode')?.toUpperCase() ?? '',
  modelCode: query.get('modelCode')?.toUpperCase() ?? '',
});

/** The model named by the query; undefined when there is no such model. */
function chosenModel(query: URLSearchParams, makes: Makes): ChosenModel | undefined {
  const { makeCode, modelCode } = codesOf(query);
  const make = makes.find(({ code }) => code === makeCode);
  const model = make?.models.find(({ code }) => code === modelCode);
  return make && model && { makeCode, modelCode, name: `${make.name} ${model.name}` };
}

function modelChoice(query: URLSearchParams, makes: Makes, unavailable?: ChosenModel): ModelChoice {
  const make = makes.find(({ code }) => code === codesOf(query).makeCode);
  const codeAndName = ({ code, name }: CodeAndName) => ({ code, name });
  return {
    kind: 'choose-model',
    makes: makes.map(codeAndName),
    makeCode: make?.code ?? null,
    models: make?.models.map(codeAndName) ?? [],
    unavailable: unavailable?.name ?? null,
  };
}

/** The requested model year if it is for sale, otherwise the newest. */
function chosenYear(query: URLSearchParams, years: readonly CrawlLink[]): string | undefined {
  const requestedYear = query.get('year');
  return (years.find(({ value }) => value === requestedYear) ?? years[0])?.value;
}

const hasPrice = (trim: Trim): trim is PricedTrim => trim.nationalMSRP !== undefined;

/** Makes and models, then the model's years, then the year's trims; a failed required call fails the page. */
export async function loadBuild({ state, call, signal }: LoadContext): Promise<BuildData> {
  const query = queryOf(state.page.url);
  const { makes } = await call('slugReference', {}, { signal });
  const model = chosenModel(query, makes);
  if (!model) return modelChoice(query, makes);
  const { makeCode, modelCode } = model;
  const { links: years } = await call('newModelYears', { makeCode, modelCode }, { signal });
  const year = chosenYear(query, years);
  if (year === undefined) return modelChoice(query, makes, model);
  const { items } = await call(
    'referenceVehicles',
    { yearId: year, atcMakeCode: makeCode, atcModelCode: modelCode },
    { signal },
  );
  const trims = items.filter(hasPrice).sort((left, right) => left.nationalMSRP - right.nationalMSRP);
  return trims.length > 0
    ? { kind: 'choose-trim', model, years, year, trims }
    : modelChoice(query, makes, model);
}

/** The trim named by the query, otherwise the cheapest. */
export function chosenTrim(query: URLSearchParams, trims: readonly PricedTrim[]): PricedTrim | undefined {
  return trims.find(({ vehicleId }) => vehicleId === query.get('trim')) ?? trims[0];
}

export function buildHead(data: BuildData): PageHead {
  if (data.kind === 'choose-model')
    return {
      title: 'Build your price',
      description: 'Choose a new vehicle and trim to see its price and monthly payment.',
      canonical: BUILD_PATH,
      isIndexed: data.unavailable === null,
    };
  const { makeCode, modelCode, name } = data.model;
  return {
    title: `Build your price: new ${data.year} ${name}`,
    description: `Trims and prices of the new ${data.year} ${name}, with monthly payments.`,
    canonical: `${BUILD_PATH}?${new URLSearchParams({ makeCode, modelCode })}`,
    isIndexed: true,
  };
}
