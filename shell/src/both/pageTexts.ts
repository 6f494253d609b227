import type { Brand } from '@forecourt/shared-contracts/brands';
import {
  type LabelOf,
  placeText,
  conditionSummary,
  withThousands,
} from '@forecourt/shared-contracts/catalog';
import {
  type SearchCriteria,
  singleValue,
  valuesOf,
  type SlugReference,
  withoutParams,
  PAGE_SIZE,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';

export interface TitleContext {
  readonly brand: Brand;
  readonly labelOf: LabelOf;
  /** City of the ZIP, if known. */
  readonly place?: { readonly city: string; readonly state: string };
}

/** The year, if both bounds are equal. */
function singleYear(criteria: SearchCriteria): string | undefined {
  const start = singleValue(criteria, 'startYear');
  return start === singleValue(criteria, 'endYear') ? start : undefined;
}

/**
 * Describes the search: 'Used 2019 Ford F150 XLT Truck Cars for Sale in Atlanta,
 * GA'. Condition and vehicle words follow the brand's case (AMB-068), names do not.
 */
function subject(criteria: SearchCriteria, context: TitleContext, withDetail: boolean): string {
  const { brand, labelOf } = context;
  const inCase = (words: string) => (brand.copyCase === 'lower' ? words.toLowerCase() : words);
  const labelled = (param: 'makeCode' | 'modelCode' | 'trimCode' | 'vehicleStyleCode') => {
    const value = singleValue(criteria, param);
    return value && labelOf(param, value);
  };
  const make = labelled('makeCode');
  const model = make && labelled('modelCode');
  const style = labelled('vehicleStyleCode');
  const place = placeText(criteria.filters, context.place);
  const noun = criteria.experience === 'commercial' ? 'Commercial Vehicles for Sale' : 'Cars for Sale';
  return [
    conditionSummary(valuesOf(criteria, 'listingType'), brand.copyCase),
    withDetail && singleYear(criteria),
    make,
    model,
    withDetail && model && labelled('trimCode'),
    style && inCase(style),
    inCase(noun),
    // A heading does not name a bare ZIP.
    place && /\D/.test(place) && `${brand.cityPreposition} ${place}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Text of the page's one h1 (B2-HERO-02, AMB-064, AMB-065). */
export const headingOf = (criteria: SearchCriteria, context: TitleContext): string =>
  subject(criteria, context, false);

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Text of the title element: the heading with year and trim, then the brand. */
export const pageTitleOf = (criteria: SearchCriteria, context: TitleContext): string =>
  `${upperFirst(subject(criteria, context, true))} | ${context.brand.name}`;

/** Text of the description for search engines. */
export function descriptionOf(
  criteria: SearchCriteria,
  context: TitleContext & { readonly totalResultCount: number },
): string {
  const count = context.totalResultCount;
  const found = count > 0 ? `${withThousands(count)} listings of ` : '';
  return (
    `Browse ${found}${subject(criteria, context, true)}. ` +
    'Compare prices, mileage and features from dealers and private sellers.'
  );
}

/**
 * Path and query of the canonical link, without ZIP, radius, sort order and paging
 * (AMB-045, AMB-047, AMB-054, AMB-149).
 */
export function canonicalLinkOf(criteria: SearchCriteria, reference: SlugReference): string {
  const { experience } = criteria;
  return encodeUrl(
    {
      filters: withoutParams(criteria.filters, ['zip', 'searchRadius', 'marketExtension']),
      sortBy: 'relevance',
      firstRecord: 0,
      numRecords: PAGE_SIZE,
      unknown: [],
      ...(experience && { experience }),
    },
    reference,
  );
}
