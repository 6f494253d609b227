import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPES, type FuelGroup } from '@forecourt/upstream/codes';
import type { Drive } from '../../domain/catalog.ts';
import type { BodyStyle, ListingType } from '../../domain/stock.ts';

// What the words of dealers mean. Each function returns undefined for words that it does not know.

type Words<T> = readonly (readonly [RegExp, T])[];

const first = <T>(words: Words<T>, text: string): T | undefined =>
  words.find(([pattern]) => pattern.test(text))?.[1];

function codeIn<T extends string>(codes: readonly string[], text: string): T | undefined {
  const code = text.trim().toUpperCase();
  return codes.includes(code) ? (code as T) : undefined;
}

const SIMPLE_COLOR =
  /\b(?:black|white|silver|gr[ae]y|blue|red|green|brown|beige|tan|orange|yellow|gold|purple)\b/gi;

/** Names of shades, by what a word begins with; pearl is an effect of any color, and white alone. */
const SHADES: Words<string> = [
  [/\b(?:black|ebony|onyx|obsidian)/i, 'BLACK'],
  [/\b(?:white|ivory|snow)/i, 'WHITE'],
  [/\b(?:silver|platinum|aluminum)/i, 'SILVER'],
  [/\b(?:graphite|charcoal|gunmetal|slate|granite|magnetic|titanium)/i, 'GRAY'],
  [/\b(?:blue|navy|azure)/i, 'BLUE'],
  [/\b(?:maroon|burgundy|ruby|crimson)/i, 'RED'],
  [/\b(?:green|olive)/i, 'GREEN'],
  [/\b(?:brown|bronze|mocha|espresso)/i, 'BROWN'],
  [/\b(?:beige|sand\b|champagne|cream)/i, 'BEIGE'],
  [/\b(?:cognac|saddle)/i, 'TAN'],
  [/\bcopper/i, 'ORANGE'],
  [/\b(?:plum|violet)/i, 'PURPLE'],
  [/\bpearl/i, 'WHITE'],
];

/**
 * The simple color in a paint name: the last one that is named ('Obsidian Blue Pearl' is BLUE), else that of a shade.
 * Of two paints ('Red/Black', 'Gray with Black roof'), the first counts.
 */
export function parseColor(text: string): string | undefined {
  const [paint = ''] = text.split(/[/,]|\bwith\b|\bw\//i).filter((part) => part.trim());
  const named = paint.match(SIMPLE_COLOR)?.at(-1)?.toUpperCase();
  if (named) return named === 'GREY' ? 'GRAY' : named;
  return first(SHADES, paint);
}

const BODIES: Words<BodyStyle> = [
  [/convertible|cabrio|roadster|spyder|spider|targa|drop ?top|soft ?top/i, 'CONVERT'],
  [/coup[eé]/i, 'COUPE'],
  [/cutaway|cargo|sprinter|step van|box van/i, 'VANS'],
  [
    /\b(?:crew|regular|extended|quad|double|king|access|mega|super|std|standard) ?cab|chassis|pick-?up|supercrew|supercab|crewmax|\btruck/i,
    'TRUCKS',
  ],
  [/van\b/i, 'VANMV'],
  [/hatch|wagon|estate|liftback/i, 'HATCH'],
  [/\bsedan|\bsaloon/i, 'SEDAN'],
  [/suv|crossover|sport utility|awd|4x4/i, 'SUVCROSS'],
];

/** Without 'SUV', which is a word of dealers first: only a commercial SUV has the code of that name. */
const BODY_CODES = Object.keys(BODY_STYLES).filter((code) => code !== 'SUV');

export const bodyStyleCode = (text: string): BodyStyle | undefined => codeIn(BODY_CODES, text);
export const bodyStyleNamed = (text: string): BodyStyle | undefined => first(BODIES, text);

const FUELS: Words<FuelGroup> = [
  [/plug-?in|phev/i, 'PIH'],
  [/hybrid|\bgas(?:oline)?\W+electric|\bmhev|\bhev\b/i, 'HYB'],
  [/hydrogen|fuel cell/i, 'HYD'],
  [/electric|\bb?ev\b/i, 'ELE'],
  [/diesel|tdi|bluetec|duramax|cummins/i, 'DSL'],
  [/flex|e85|cng|natural gas|propane/i, 'ALT'],
  [/\bgas\b|gasoline|petrol|unleaded/i, 'GSL'],
];

const FUEL_CODES = Object.keys(FUEL_GROUPS);

export const fuelCode = (text: string): FuelGroup | undefined => codeIn(FUEL_CODES, text);
export const fuelNamed = (text: string): FuelGroup | undefined => first(FUELS, text);

const TWO_WHEELS = /2wd|4x2|\btwo\b|2[- ]wheel/i;
const DRIVES: Words<Drive> = [
  [/awd|4wd|4x4|\ball\b|four|4[- ]wheel|4matic|4motion|quattro|xdrive/i, 'AWD4WD'],
  [/fwd|front/i, 'FWD'],
  [/rwd|rear/i, 'RWD'],
];

/** Two driven wheels are a pickup's rear ones; other vehicles have either, which the catalog may know. */
export const parseDrive = (text: string, bodyStyle: BodyStyle | undefined): Drive | undefined =>
  first(DRIVES, text) ?? (bodyStyle === 'TRUCKS' && TWO_WHEELS.test(text) ? 'RWD' : undefined);

/** Automatic transmissions may have a manual mode, or be automated manual ones. */
const TRANSMISSIONS: Words<'AUT' | 'MAN'> = [
  [
    /aut|cvt|dct|dual|variable|direct drive|single[- ]speed|\b1[- ]speed|manumatic|(?:tip|step|multi|gear|sport|shift)tronic|s[- ]tronic|\bpdk|\bdsg|powershift|clutchless|xtronic/i,
    'AUT',
  ],
  [/man|stick/i, 'MAN'],
];

export const parseTransmission = (text: string): 'AUT' | 'MAN' | undefined => first(TRANSMISSIONS, text);

const CONDITIONS: Words<ListingType> = [
  [/\b(?:non|not|un)[- ]?(?:cert|cpo)/i, 'USED'],
  [/cert|cpo|^c$/i, 'CERTIFIED'],
  [/used|owned|like[- ]new|\bold\b|^[up]$|refurbished|excellent|good|fair|salvage|rebuilt/i, 'USED'],
  [/\bnew\b|^n$/i, 'NEW'],
];

export const parseListingType = (text: string): ListingType | undefined =>
  codeIn(LISTING_TYPES, text) ?? first(CONDITIONS, text);
