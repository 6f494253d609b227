import { nameKey } from '../../domain/catalog.ts';
import { WMIS_BY_MAKE } from './wmi.data.ts';

/** Values of letters in a VIN (49 CFR 565.15); digits stand for themselves. */
const VALUES: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, Number(digit)])),
  ...Object.fromEntries([...'ABCDEFGH'].map((letter, index) => [letter, index + 1])),
  ...Object.fromEntries([...'JKLMN'].map((letter, index) => [letter, index + 1])),
  ...{ P: 7, R: 9 },
  ...Object.fromEntries([...'STUVWXYZ'].map((letter, index) => [letter, index + 2])),
};
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const CHECK_POSITION = 8;
/** Of North American cars and light trucks, a letter here stands for the model years from 2010 on. */
const ERA_POSITION = 6;
const YEAR_POSITION = 9;
/** Model years in turn, from 1980 on. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** Whether the ninth character is the check digit of the others. */
export function isCheckDigitRight(vin: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * (VALUES[vin[index]!] ?? 0), 0);
  const digit = sum % 11;
  return vin[CHECK_POSITION] === (digit === 10 ? 'X' : String(digit));
}

/** Vehicles built for North America (1 to 5 in front) must have a check digit; elsewhere it is optional. */
export const isVinPlausible = (vin: string): boolean => !/^[1-5]/.test(vin) || isCheckDigitRight(vin);

/** What a VIN says about its vehicle. */
export interface DecodedVin {
  /** The makes of its manufacturer identifier; empty when the table lacks it. */
  readonly makes: readonly string[];
  /** Undefined for a character that stands for no year, or a year still to come. */
  readonly year: number | undefined;
  /** Whether the row names another make or a model year that the VIN's character doesn't stand for. */
  contradicts(row: { readonly make: string; readonly year: number }): boolean;
}

const makesByWmi = Map.groupBy(
  Object.entries(WMIS_BY_MAKE).flatMap(([make, wmis]) => wmis.split(' ').map((wmi) => [wmi, make] as const)),
  ([wmi]) => wmi,
);

/**
 * Reads manufacturer and model year from a VIN. Undefined unless its check digit is right: European vehicles need not have
 * one, and their tenth character need not be a year.
 */
export function decodeVin(vin: string, newestYear: number): DecodedVin | undefined {
  if (!isCheckDigitRight(vin)) return undefined;
  const makes = (makesByWmi.get(vin.slice(0, 3)) ?? []).map(([, make]) => make);
  const code = YEAR_CODES.indexOf(vin[YEAR_POSITION]!);
  const isLate = /[A-Z]/.test(vin[ERA_POSITION]!);
  const year = FIRST_YEAR + code + (isLate ? YEAR_CODES.length : 0);
  return {
    makes,
    year: code < 0 || year > newestYear ? undefined : year,
    contradicts: (row) =>
      (makes.length > 0 &&
        knownMake(row.make) !== undefined &&
        !makes.some((make) => nameKey(make) === nameKey(row.make))) ||
      // Heavy trucks have digits at the position of the era, so years are compared by their code.
      (code >= 0 && (row.year - FIRST_YEAR - code) % YEAR_CODES.length !== 0),
  };
}

/** Makes of the table by their name in any spelling. */
const makeNames = new Map(Object.keys(WMIS_BY_MAKE).map((make) => [nameKey(make), make]));

/** The spelling of a make that builds cars for the United States; undefined for other names. */
export const knownMake = (name: string): string | undefined => makeNames.get(nameKey(name));

/** Letters that no VIN contains, with the digits that they are mistaken for. */
const MISTAKEN: Readonly<Record<string, string>> = { O: '0', Q: '0', I: '1' };

/** A VIN in its usual form; letters for digits are corrected if the check digit is right then. Undefined for other texts. */
export function readVin(text: string): string | undefined {
  if (VIN.test(text)) return text;
  const bare = text.toUpperCase().replace(/^VIN\b[\s:#.]*|[\s.*_-]/g, '');
  if (VIN.test(bare)) return bare;
  if (bare.length !== 17) return undefined;
  const corrected = bare.replace(/[OQI]/g, (letter) => MISTAKEN[letter] ?? letter);
  return VIN.test(corrected) && isCheckDigitRight(corrected) ? corrected : undefined;
}
