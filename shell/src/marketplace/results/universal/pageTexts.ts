import type { Brand } from '@forecourt/search/brands';
import { type Chip, type LabelOf, chipsOf, placeText, conditionSummary } from '@forecourt/search/catalog';
import {
  type SearchCriteria,
  singleValue,
  valuesOf,
  type SlugReference,
  withoutParams,
  PAGE_SIZE,
} from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { encodeUrl } from '@forecourt/search/url';

export interface TitleContext {
  readonly brand: Brand;
  readonly labelOf: LabelOf;
  /** City of the ZIP, if known. */
  readonly place?: { readonly city: string; readonly state: string };
}

/** One and several vehicles of a style: 'Trucks for Sale' instead of 'Truck Cars for Sale'. */
const STYLE_NOUNS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  TRUCKS: ['Truck', 'Trucks'],
  SUVCROSS: ['SUV', 'SUVs'],
  VANMV: ['Van or Minivan', 'Vans and Minivans'],
  SEDAN: ['Sedan', 'Sedans'],
  HATCH: ['Hatchback', 'Hatchbacks'],
  COUPE: ['Coupe', 'Coupes'],
  CONVERT: ['Convertible', 'Convertibles'],
  VANS: ['Van', 'Vans'],
  SUV: ['SUV', 'SUVs'],
};

/** Lower case for all words but names such as SUV. */
const lowerCase = (words: string): string =>
  words.replace(/\S+/g, (word) => (/^SUV/.test(word) ? word : word.toLowerCase()));

/** The year, if both bounds are equal. */
function singleYear(criteria: SearchCriteria): string | undefined {
  const start = singleValue(criteria, 'startYear');
  return start === singleValue(criteria, 'endYear') ? start : undefined;
}

/**
 * Describes the search: 'Used 2019 Ford F150 XLT Trucks for Sale in Atlanta,
 * GA'. Condition and vehicle words follow the brand's case, names do not.
 */
function subject(
  criteria: SearchCriteria,
  context: TitleContext,
  withDetail: boolean,
  { isOne = false, inCopy = false } = {},
): string {
  const { brand, labelOf } = context;
  const inCase = (words: string) => (brand.copyCase === 'lower' || inCopy ? lowerCase(words) : words);
  const labelled = (param: 'makeCode' | 'modelCode' | 'trimCode' | 'vehicleStyleCode') => {
    const value = singleValue(criteria, param);
    return value && labelOf(param, value);
  };
  const make = labelled('makeCode');
  const model = make && labelled('modelCode');
  const styleCode = singleValue(criteria, 'vehicleStyleCode');
  const isCommercial = criteria.experience === 'commercial';
  // An unknown style keeps the specified form, 'Wagon Cars for Sale'.
  const named = isCommercial ? undefined : STYLE_NOUNS[styleCode ?? ''];
  const style = named ? undefined : labelled('vehicleStyleCode');
  const place = placeText(criteria.filters, context.place);
  const nouns = isCommercial
    ? (['Commercial Vehicle', 'Commercial Vehicles'] as const)
    : (named ?? ['Car', 'Cars']);
  const noun = `${nouns[isOne ? 0 : 1]} for Sale`;
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

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Text of the page's one h1. */
export const headingOf = (criteria: SearchCriteria, context: TitleContext): string =>
  upperFirst(subject(criteria, context, false));

/** Sections that the subject names when they have a single value. */
const IN_SUBJECT = ['vehicleStyleCode', 'makeCode', 'modelCode', 'trimCode'] as const;

/** Labels of the filters that the subject doesn't name: 'Great Price, Under $20,000'. */
function detailOf(criteria: SearchCriteria, { labelOf }: TitleContext): string {
  const isNamed = ({ section, kind }: Chip) =>
    kind === 'location' ||
    kind === 'sponsorship' ||
    (section === 'experience' && criteria.experience === 'commercial') ||
    (section === 'yearRange' && singleYear(criteria) !== undefined) ||
    (section === 'listingType' && conditionSummary(valuesOf(criteria, 'listingType')) !== '') ||
    IN_SUBJECT.some((param) => param === section && singleValue(criteria, param) !== undefined);
  return chipsOf(criteria, { labelOf })
    .filter((chip) => !isNamed(chip))
    .map(({ label }) => label)
    .join(', ');
}

/** Text of the title element: the heading with year, trim, other filters and page number, then the brand. */
export function pageTitleOf(criteria: SearchCriteria, context: TitleContext): string {
  const page = 1 + Math.floor(criteria.firstRecord / criteria.numRecords);
  const parts = [
    upperFirst(subject(criteria, context, true)),
    detailOf(criteria, context),
    page > 1 && `Page ${formatNumber(page)}`,
  ];
  return `${parts.filter(Boolean).join(' - ')} | ${context.brand.name}`;
}

/** Text of the description for search engines. */
export function descriptionOf(
  criteria: SearchCriteria,
  context: TitleContext & { readonly totalResultCount: number },
): string {
  const count = context.totalResultCount;
  const found = count > 0 ? `${formatNumber(count)} ` : '';
  return (
    `Browse ${found}${subject(criteria, context, true, { isOne: count === 1, inCopy: true })}. ` +
    'Compare prices, mileage and features from dealers and private sellers.'
  );
}

/**
 * Path and query of the canonical link, without ZIP, radius and sort order; each page is its own.
 */
export function canonicalLinkOf(criteria: SearchCriteria, reference: SlugReference): string {
  const { experience, firstRecord, numRecords } = criteria;
  return encodeUrl(
    {
      filters: withoutParams(criteria.filters, ['zip', 'searchRadius', 'marketExtension', 'area']),
      sortBy: 'relevance',
      firstRecord: numRecords === PAGE_SIZE ? firstRecord : 0,
      numRecords: PAGE_SIZE,
      unknown: [],
      ...(experience && { experience }),
    },
    reference,
  );
}
