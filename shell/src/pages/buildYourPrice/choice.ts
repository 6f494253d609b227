import type { CrawlLink, Trim } from '@forecourt/shared-contracts/entities';
import type { SlugReference } from '@forecourt/shared-contracts/criteria';

export const BUILD_PATH = '/cars-for-sale/build-your-price';

export interface ChosenModel {
  readonly makeCode: string;
  readonly modelCode: string;
  readonly makeName: string;
  readonly modelName: string;
}

/** The model which a query names (AMB-056); undefined when it names none that exists. */
export function chosenModel(query: URLSearchParams, reference: SlugReference): ChosenModel | undefined {
  const makeCode = query.get('makeCode')?.toUpperCase() ?? '';
  const modelCode = query.get('modelCode')?.toUpperCase() ?? '';
  const makeName = reference.makeLabel(makeCode);
  const modelName = reference.makesOfModel(modelCode).includes(makeCode)
    ? reference.modelLabel(modelCode, [makeCode])
    : undefined;
  return makeName && modelName ? { makeCode, modelCode, makeName, modelName } : undefined;
}

/** The model year of a query, if new vehicles of it are for sale, else the newest that are. */
export function chosenYear(query: URLSearchParams, years: readonly CrawlLink[]): string | undefined {
  const wanted = query.get('year');
  return (years.find(({ value }) => value === wanted) ?? years[0])?.value;
}

/** Trims with a price, cheapest first; the one of the query, or the cheapest, is chosen. */
export function pricedTrims(
  query: URLSearchParams,
  items: readonly Trim[],
): {
  readonly trims: readonly (Trim & { readonly nationalMSRP: number })[];
  readonly chosen: (Trim & { readonly nationalMSRP: number }) | undefined;
} {
  const trims = items
    .filter((trim): trim is Trim & { nationalMSRP: number } => trim.nationalMSRP !== undefined)
    .sort((left, right) => left.nationalMSRP - right.nationalMSRP);
  return { trims, chosen: trims.find(({ vehicleId }) => vehicleId === query.get('trim')) ?? trims[0] };
}
