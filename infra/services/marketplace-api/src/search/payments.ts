import {
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
} from '@forecourt/shared-contracts/rules';

export interface Payments {
  /** Whole US dollars a month. */
  readonly monthly: number;
  /** Months. */
  readonly term: number;
  /** Percent a year. */
  readonly apr: number;
}

/** Monthly payment of an amortised loan (AMB-112): P = (price − down) · r / (1 − (1 + r)^−n), r = APR / 12. */
export function paymentsFor(
  price: number,
  { down = price * PAYMENT_DOWN_SHARE, term = PAYMENT_TERM_MONTHS, apr = PAYMENT_APR_PERCENT } = {},
): Payments {
  const rate = apr / 100 / 12;
  const financed = Math.max(0, price - down);
  const monthly = rate === 0 ? financed / term : (financed * rate) / (1 - (1 + rate) ** -term);
  return { monthly: Math.round(monthly), term, apr };
}
