const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTER_VALUES: Readonly<Record<string, number>> = {
  A: 1,
  B: 2,
  C: 3,
  D: 4,
  E: 5,
  F: 6,
  G: 7,
  H: 8,
  J: 1,
  K: 2,
  L: 3,
  M: 4,
  N: 5,
  P: 7,
  R: 9,
  S: 2,
  T: 3,
  U: 4,
  V: 5,
  W: 6,
  X: 7,
  Y: 8,
  Z: 9,
};
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const PLANTS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const DESCRIPTOR_CHARACTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';
const SERIAL_NUMBERS = 1_000_000;

/**
 * A vehicle identification number as 49 CFR 565 lays it out: manufacturer,
 * five descriptive characters, check digit, model year, plant, serial number.
 * Different serials give different numbers, up to 23 million.
 */
export function composeVin(wmi: string, year: number, descriptor: number, serial: number): string {
  let described = descriptor;
  let descriptors = '';
  for (let place = 0; place < 5; place += 1) {
    descriptors += DESCRIPTOR_CHARACTERS[described % DESCRIPTOR_CHARACTERS.length];
    described = Math.floor(described / DESCRIPTOR_CHARACTERS.length);
  }
  const yearCode = YEAR_CODES[(((year - 1980) % 30) + 30) % 30];
  const plant = PLANTS[Math.floor(serial / SERIAL_NUMBERS) % PLANTS.length];
  const number = String(serial % SERIAL_NUMBERS).padStart(6, '0');
  const unchecked = `${wmi}${descriptors}0${yearCode}${plant}${number}`;
  return unchecked.slice(0, 8) + checkDigit(unchecked) + unchecked.slice(9);
}

/** Whether a text has the form of a VIN and its check digit holds. */
export function isValidVin(vin: string): boolean {
  return /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) && checkDigit(vin) === vin[8];
}

function checkDigit(vin: string): string {
  let sum = 0;
  for (let place = 0; place < 17; place += 1) {
    const character = vin[place] ?? '0';
    sum += (LETTER_VALUES[character] ?? Number(character)) * (WEIGHTS[place] ?? 0);
  }
  const rest = sum % 11;
  return rest === 10 ? 'X' : String(rest);
}
