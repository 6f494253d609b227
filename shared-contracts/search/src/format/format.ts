// All formatting of numbers, money, dates and plurals for shoppers: server and browser use the same locale.
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const numbers = new Intl.NumberFormat('en-US');

const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const plurals = new Intl.PluralRules('en-US');

/** 0.0699 → '6.99%'. */
export const formatPercent = (share: number): string => percents.format(share);
/** '1 match', '1,200 matches': `many` is by default `one` with an s. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${plurals.select(count) === 'one' ? one : many}`;
/** 12345 → '$12,345'. */
export const formatDollars = (amount: number): string => dollars.format(amount);
/** 12345 → '12,345'. */
export const formatNumber = (value: number): string => numbers.format(value);
/** 'Chicago, IL', or the part that is known; undefined when neither is. */
export const formatPlace = (
  address: { city?: string | undefined; state?: string | undefined } = {},
): string | undefined => [address.city, address.state].filter(Boolean).join(', ') || undefined;
/** '2026-06-05' → 'June 5, 2026', in any time zone. */
export const formatDate = (isoDate: string): string => dates.format(new Date(`${isoDate}T00:00:00Z`));
