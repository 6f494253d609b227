import type { PageData, SearchResponse } from '@forecourt/shared-contracts/entities';
import { SIGNED_OUT_SAVED_SEARCHES, formatCount, formatNumber } from '@forecourt/shared-contracts/rules';
import { type SearchCriteria, singleValue } from '@forecourt/shared-contracts/criteria';
import { conditionSummary, priceText, yearText } from '@forecourt/shared-contracts/catalog';
import type { SearchHits } from '../index/listingIndex.ts';
import type { Place } from '../places/places.ts';
import { suggestModels } from './suggestions.ts';

/** Names of the chosen make, model and trim. */
export interface VehicleNames {
  readonly make?: string;
  readonly model?: string;
  readonly trim?: string;
}

const listings = (count: number) => formatCount(count, 'listing');

const vehicleWords = ({ make, model, trim }: VehicleNames) =>
  [make, make && model, model && trim].filter(Boolean);

/** 'Used Ford F150 under $20,000 near Chicago, IL'. */
function describe(criteria: SearchCriteria, names: VehicleNames, place: Place | undefined): string {
  const { filters } = criteria;
  const vehicle = vehicleWords(names);
  return [
    conditionSummary(filters.listingType ?? []),
    yearText(filters),
    ...(vehicle.length > 0 ? vehicle : ['vehicles']),
    priceText(filters)?.toLowerCase(),
    place && `near ${place.city}, ${place.state}`,
  ]
    .filter(Boolean)
    .join(' ')
    .replace(/^\w/, (letter) => letter.toUpperCase());
}

/** Number, prices and years of the results. */
function summaryText({ total, stats }: SearchHits): string {
  const { price, year } = stats;
  const prices = price && ` for $${formatNumber(price.min)} to $${formatNumber(price.max)}`;
  const years =
    year && (year.min === year.max ? ` Model year ${year.min}.` : ` Model years ${year.min} to ${year.max}.`);
  return `${listings(total)}${prices ?? ''}.${years ?? ''}`;
}

/** Targeting values of the ad slots (A1-ADS-01). */
function adTargeting(criteria: SearchCriteria, place: Place | undefined): Record<string, string> {
  const { filters } = criteria;
  const values = {
    make: filters.makeCode?.join(','),
    model: filters.modelCode?.join(','),
    style: filters.vehicleStyleCode?.join(','),
    condition: filters.listingType?.join(','),
    zip: filters.zip?.[0],
    state: place?.state,
    dma: place?.dma,
  };
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => !!pair[1]));
}

/** Page data of a response (A3-RESP-10). */
export function buildPageData(
  criteria: SearchCriteria,
  hits: SearchHits,
  names: VehicleNames,
  place: Place | undefined,
): PageData {
  const heading = describe(criteria, names, place);
  return {
    summaryContentData: { heading, text: summaryText(hits) },
    saveSearchData: {
      saveSearchString: heading,
      saveSearchInstrText: 'Save this search to get alerts about new listings and price drops.',
      textModalDisclaimer: `Without an account you can save up to ${SIGNED_OUT_SAVED_SEARCHES} searches.`,
      subscribed: false,
    },
    marketExtensionDma: place?.dma,
    ad: adTargeting(criteria, place),
    suggestedModels: suggestModels(criteria, hits.counts, hits.total),
  };
}

/** A paragraph about the make of a search (A3-RESP-09). */
export function buildMakeSummary(
  criteria: SearchCriteria,
  hits: SearchHits,
  names: VehicleNames,
): SearchResponse['makeSummaryData'] {
  const makeCode = singleValue(criteria, 'makeCode');
  if (!makeCode || !names.make) return undefined;
  return { makeCode, heading: `About these ${names.make} vehicles`, text: summaryText(hits) };
}
