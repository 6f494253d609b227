import type { PicturedVehicle } from '@forecourt/marketplace-api/pictures';

/** What differs between pictures of one body style and paint; each is an index into its table. */
export interface Look {
  /** Where the photographer stands. */
  readonly stand: number;
  /** Place and light. */
  readonly place: number;
  readonly rims: number;
  /** Plain, sporty or rugged trim. */
  readonly trim: number;
  /** Upholstery. */
  readonly cabin: number;
}

/** Numbers of values, in the order of the digits of a path. */
const SIZES: Readonly<Record<keyof Look, number>> = { stand: 8, place: 6, rims: 4, trim: 3, cabin: 4 };
const PARTS = Object.keys(SIZES) as (keyof Look)[];

/** The look of pictures that belong to no single vehicle. */
export const PLAIN_LOOK: Look = { stand: 0, place: 0, rims: 0, trim: 0, cabin: 0 };

/** '71320'; empty for the plain look. */
export const lookCode = (look: Look): string => {
  const code = PARTS.map((part) => look[part]).join('');
  return /^0+$/.test(code) ? '' : code;
};

/** Undefined for any other text. */
export function parseLook(code: string): Look | undefined {
  if (code === '') return PLAIN_LOOK;
  const digits = [...code].map(Number);
  const isValid =
    /^\d+$/.test(code) &&
    digits.length === PARTS.length &&
    PARTS.every((part, index) => digits[index]! < SIZES[part]) &&
    digits.some((digit) => digit > 0);
  return isValid
    ? (Object.fromEntries(PARTS.map((part, index) => [part, digits[index]!])) as unknown as Look)
    : undefined;
}

/** FNV-1a, so that similar ids differ in every part. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 8;
}

const SPORTY = /sport|\b(gt|rs|ss|st|si|trd|n line|m sport|amg|srt|type r|nismo|black)\b/i;
const RUGGED = /trail|off|rubicon|wilderness|tremor|raptor|rebel|at4|zr2|z71|pro-4x|woodland|mountain/i;

/** Upholstery of the interior colors that are not dark. */
const CABINS: Readonly<Record<string, number>> = {
  GRAY: 1,
  SILVER: 1,
  BEIGE: 2,
  WHITE: 2,
  GOLD: 2,
  BROWN: 3,
  RED: 3,
};

/** The trim decides rims and fittings, the interior color the cabin, and the listing's id the rest. */
export function lookOf({ id, trim, intColor }: PicturedVehicle): Look {
  if (id === undefined) return PLAIN_LOOK;
  const chance = hash(id);
  const name = trim?.name ?? '';
  return {
    stand: chance % SIZES.stand,
    place: (chance >>> 3) % SIZES.place,
    rims: hash(`${name}.`) % SIZES.rims,
    trim: RUGGED.test(name) ? 2 : SPORTY.test(name) ? 1 : 0,
    cabin: CABINS[intColor ?? ''] ?? 0,
  };
}
