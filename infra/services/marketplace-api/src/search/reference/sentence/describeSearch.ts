import { yearText } from '@forecourt/search/catalog';
import { type FilterParam, type FilterValues, paymentLimitLabel } from '@forecourt/search/criteria';
import { formatDollars, formatNumber } from '@forecourt/search/format';
import { STATE_CODES } from '../../../domain/places/index.ts';
import type { SortValue } from './reading.ts';

/** Labels of codes as in chips. */
type LabelOf = (param: FilterParam, value: string) => string;

export interface SearchDescription {
  readonly filters: FilterValues;
  readonly sortBy?: SortValue | undefined;
  readonly labelOf: LabelOf;
  /** Name of a model's make; the filters alone don't tell which make a model belongs to. */
  readonly makeOf: (modelCode: string) => string | undefined;
  /** City of the ZIP. */
  readonly place?: { readonly city: string; readonly state: string } | undefined;
}

/** 'a', 'a and b', 'a, b and c'. */
const listOf = (words: readonly string[], and = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`;

const STYLES: Readonly<Record<string, string>> = {
  TRUCKS: 'truck',
  SUVCROSS: 'SUV',
  VANMV: 'van',
  SEDAN: 'sedan',
  HATCH: 'hatchback',
  COUPE: 'coupe',
  CONVERT: 'convertible',
  VANS: 'van',
  SUV: 'SUV',
};
/** Subtypes that name the vehicle better than its style does. */
const SUBTYPES: Readonly<Record<string, string>> = {
  MINIVAN: 'minivan',
  PASSENGERVAN: 'passenger van',
  CARGOVAN: 'cargo van',
  SUBCOMPACTSUV: 'subcompact SUV',
  COMPACTSUV: 'compact SUV',
  MIDSIZESUV: 'midsize SUV',
  FULLSIZESUV: 'full-size SUV',
  COMPACTSEDAN: 'compact sedan',
  MIDSIZESEDAN: 'midsize sedan',
  FULLSIZESEDAN: 'full-size sedan',
  LUXURYSEDAN: 'luxury sedan',
  REGCAB: 'regular cab truck',
  EXTCAB: 'extended cab truck',
  CREWCAB: 'crew cab truck',
  CREWMAX: 'extended crew cab truck',
};
const SUBTYPE_PARAMS = [
  'vanSubtypeCode',
  'suvSubtypeCode',
  'sedanSubtypeCode',
  'bodyStyleSubtypeCode',
] as const;
const ADJECTIVES: Readonly<Record<string, string>> = {
  AWD4WD: 'all-wheel-drive',
  FWD: 'front-wheel-drive',
  RWD: 'rear-wheel-drive',
  GSL: 'gasoline',
  AUT: 'automatic',
  MAN: 'manual',
  COMMERCIAL: 'commercial',
  PERSONAL: 'personal',
};
/** Features with an article; the others are plural or need none. */
const FEATURE_WORDS: Readonly<Record<string, string>> = {
  THIRDROW: 'a third row',
  LEATHER: 'leather seats',
  SUNROOF: 'a sunroof',
  PANOROOF: 'a panoramic roof',
  NAVIGATION: 'navigation',
  BACKUPCAMERA: 'a backup camera',
  CAMERA360: 'a surround view camera',
  HEATEDWHEEL: 'a heated steering wheel',
  POWERSEAT: 'a power driver seat',
  PUSHSTART: 'push-button start',
  BLINDSPOT: 'a blind spot monitor',
  REARENTERTAINMENT: 'a rear entertainment system',
  PREMIUMAUDIO: 'a premium sound system',
  HEADUP: 'a head-up display',
  WIFI: 'a Wi-Fi hotspot',
  CARPLAY: 'Apple CarPlay',
  ANDROIDAUTO: 'Android Auto',
  BLUETOOTH: 'Bluetooth',
  LEDLIGHTS: 'LED headlights',
  ROOFRACK: 'a roof rack',
  POWERLIFTGATE: 'a power liftgate',
  TOWHITCH: 'a tow hitch',
  TRAILERBRAKE: 'a trailer brake controller',
  BEDLINER: 'a bed liner',
  CLEAN_TITLE: 'a clean title',
  NO_ACCIDENTS: 'no accidents',
  ONE_OWNER: 'one owner',
  PERSONAL_USE: 'personal use only',
  SHORT: 'a short bed',
  STANDARD: 'a standard bed',
  LONG: 'a long bed',
  true: 'a money back guarantee',
};

const plural = (noun: string): string =>
  /[a-wy0-9)]$/i.test(noun) && !/s$/i.test(noun) ? `${noun}s` : `${noun} cars`;

/** What is looked for: 'red Ford F-150s', 'compact SUVs', 'cars'. */
function subjectOf({ filters, labelOf, makeOf }: SearchDescription): string {
  const labels = (param: FilterParam, and = 'or') =>
    listOf(
      (filters[param] ?? []).map((value) => (ADJECTIVES[value] ?? labelOf(param, value)).toLowerCase()),
      and,
    );
  const styles = SUBTYPE_PARAMS.flatMap((param) =>
    (filters[param] ?? []).map((value) => SUBTYPES[value] ?? labelOf(param, value)),
  );
  const nouns =
    styles.length > 0
      ? styles
      : (filters.vehicleStyleCode ?? []).map((value) => STYLES[value] ?? labelOf('vehicleStyleCode', value));
  const makes = (filters.makeCode ?? []).map((value) => labelOf('makeCode', value));
  const models = (filters.modelCode ?? []).map((value) => ({
    make: makeOf(value),
    name: labelOf('modelCode', value),
  }));
  const trims = filters.trimCode ?? [];
  const named = [
    ...makes.filter((make) => !models.some((model) => model.make === make) && !filters.seriesCode),
    ...models.map(({ make, name }) =>
      [make, name, ...(models.length === 1 ? trims.map((trim) => labelOf('trimCode', trim)) : [])]
        .filter(Boolean)
        .join(' '),
    ),
    ...(filters.seriesCode ?? []).map((value) =>
      [makes[0], labelOf('seriesCode', value)].filter(Boolean).join(' '),
    ),
  ];
  const noun =
    nouns.length > 0
      ? [listOf(named, 'or'), listOf([...new Set(nouns.map(plural))], 'and')].filter(Boolean).join(' ')
      : named.length > 0
        ? listOf(named.map(plural))
        : 'cars';
  const years = filters.startYear?.[0] === filters.endYear?.[0] ? filters.startYear?.[0] : undefined;
  return [
    labels('listingType'),
    years,
    labels('extColorSimple'),
    labels('fuelTypeGroup'),
    labels('driveGroup'),
    labels('transmissionCode'),
    labels('doorCode').replace(/(\d) door/g, '$1-door'),
    labels('engineCode'),
    labels('vehicleUseType'),
    noun,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What they must have: 'with a third row and heated seats'. */
function equipmentOf({ filters, labelOf }: SearchDescription): string {
  const words = (param: FilterParam) =>
    (filters[param] ?? []).map((value) => FEATURE_WORDS[value] ?? labelOf(param, value).toLowerCase());
  const seats = (filters.seatCount ?? []).map(Number);
  const [mpg] = filters.mpgRange ?? [];
  const [range] = filters.electricMileRange ?? [];
  const [miles] = filters.mileage ?? [];
  const interior = words('intColorSimple');
  const all = [
    ...words('featureCode'),
    ...(seats.length > 0 ? [`${Math.min(...seats)} seats${seats.length > 1 ? ' or more' : ''}`] : []),
    ...words('packages').map((label) => `the ${label}`),
    ...words('truckBedLength'),
    ...(filters.engineDisplacement ?? []).map((value) => `a ${labelOf('engineDisplacement', value)} engine`),
    ...(interior.length > 0 ? [`${listOf(interior, 'or')} interior`] : []),
    ...(mpg ? [`${Number.parseInt(mpg, 10)} MPG or more`] : []),
    ...(range ? [`${formatNumber(Number.parseInt(range, 10))} miles of range or more`] : []),
    ...(miles ? [`less than ${formatNumber(Number(miles))} miles`] : []),
    ...words('vehicleHistoryType'),
    ...words('homeServices'),
    ...words('vehicleExchange'),
  ];
  return all.length > 0 ? `with ${listOf(all)}` : '';
}

/** What they may cost: 'under $30,000', 'for $300/mo or less'. */
function costOf({ filters }: SearchDescription): string {
  const [min] = filters.minPrice ?? [];
  const [max] = filters.maxPrice ?? [];
  const [payment] = filters.monthlyPayment ?? [];
  const dollars = (amount: string) => formatDollars(Number(amount));
  const price =
    min && max
      ? `from ${dollars(min)} to ${dollars(max)}`
      : min
        ? `over ${dollars(min)}`
        : max && `under ${dollars(max)}`;
  return [price, payment && `for ${paymentLimitLabel(payment)}`].filter(Boolean).join(' ');
}

/** 'North Carolina' of NC. */
const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  [...STATE_CODES].map(([name, code]) => [
    code,
    name.replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase()),
  ]),
);

const SELLERS: Readonly<Record<string, string>> = { p: 'from private sellers', d: 'from dealers' };

function whereOf({ filters, place }: SearchDescription): string {
  if (filters.searchRadius?.[0] === '0') return 'anywhere in the country';
  const city = filters.city?.[0] ?? (filters.zip && place?.city);
  if (city) return `near ${city}`;
  const [state] = filters.state ?? [];
  return state ? `in ${STATE_NAMES.get(state) ?? state}` : '';
}

/** The search as a sentence that a person would say: 'SUVs with a third row under $30,000 near Atlanta'. */
export function describeSearch(search: SearchDescription): string {
  const { filters, sortBy } = search;
  const isOneYear = filters.startYear?.[0] !== undefined && filters.startYear[0] === filters.endYear?.[0];
  const years = isOneYear
    ? undefined
    : yearText(filters)?.replace(/ or (Newer|Older)/, (text) => text.toLowerCase());
  const seller = filters.sellerType?.length === 1 ? SELLERS[filters.sellerType[0]!] : undefined;
  const deal =
    filters.dealType &&
    (filters.dealType.length > 1
      ? 'at good or great prices'
      : `at ${filters.dealType[0] === 'greatprice' ? 'great' : 'good'} prices`);
  const text = [
    subjectOf(search),
    years && `from ${years}`,
    equipmentOf(search),
    costOf(search),
    deal,
    seller,
    whereOf(search),
  ]
    .filter(Boolean)
    .join(' ');
  const order = sortBy === 'derivedpriceASC' ? ', lowest price first' : '';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${order}`;
}
