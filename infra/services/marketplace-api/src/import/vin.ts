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

/**
 * Whether the ninth character is the check digit of the others. Vehicles built for North America (1 to 5 in front) must
 * have it; elsewhere it is optional, so those pass.
 */
export function hasVinCheckDigit(vin: string): boolean {
  if (!/^[1-5]/.test(vin)) return true;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * (VALUES[vin[index]!] ?? 0), 0);
  const digit = sum % 11;
  return vin[CHECK_POSITION] === (digit === 10 ? 'X' : String(digit));
}
