const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const numbers = new Intl.NumberFormat('en-US');

/** 12345 → '$12,345'. */
export const formatDollars = (amount: number): string => dollars.format(amount);
/** 12345 → '12,345'. */
export const formatNumber = (value: number): string => numbers.format(value);
/** A listing's price: '$32,995', or 'Call for price' without one (AMB-037). */
export const formatPrice = (derivedPrice: number | undefined): string =>
  derivedPrice === undefined ? 'Call for price' : formatDollars(derivedPrice);
