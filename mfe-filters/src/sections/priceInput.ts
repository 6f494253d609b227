/** Characters of a price input, '$' and commas included. */
export const PRICE_INPUT_MAX_LENGTH = 10;

/** Messages of the price range. */
const PRICE_MESSAGES = {
  same: 'Min and Max price cannot be the same.',
  reversed: 'Max price must be greater than Min price.',
  zeroMax: 'Max price must be greater than 0.',
} as const;

/**
 * Error of a committed range, checked in the order maximum 0, equal, reversed; undefined when it is valid. A
 * minimum of 0 means no minimum. USD.
 */
export function priceRangeError(min: number | undefined, max: number | undefined): string | undefined {
  if (max === 0) return PRICE_MESSAGES.zeroMax;
  if (!min || max === undefined) return undefined;
  if (min === max) return PRICE_MESSAGES.same;
  return min > max ? PRICE_MESSAGES.reversed : undefined;
}

export type PriceInput =
  | { readonly kind: 'empty' }
  | { readonly kind: 'valid'; readonly value: number }
  | { readonly kind: 'refused' };

/**
 * Parses a typed price: digits, commas and '$' only, 1 to 10 characters, no decimals or leading zeros; '0'
 * alone is valid.
 */
export function readPriceInput(text: string): PriceInput {
  const trimmedText = text.trim();
  if (trimmedText === '') return { kind: 'empty' };
  if (trimmedText.length > PRICE_INPUT_MAX_LENGTH || !/^[\d,$]+$/.test(trimmedText))
    return { kind: 'refused' };
  const digits = trimmedText.replace(/[$,]/g, '');
  return /^(0|[1-9]\d*)$/.test(digits) ? { kind: 'valid', value: Number(digits) } : { kind: 'refused' };
}
