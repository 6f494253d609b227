export {
  ALPHA_CAROUSEL_MAX,
  ALPHA_OWNER_VEHICLES,
  BOOST_POSITIONS,
  BOTTOM_BLOCK_MAX_RESULTS,
  MAKE_OFFER_VERSION,
  MILEAGE_STATS_BELOW,
  MONEY_BACK,
  SMALL_SCREEN_BELOW,
  THIRD_PARTY_WARRANTY_DAYS,
  VIEW_COUNT_DAYS,
  WALLET_EXAMPLE_MONTHLY,
} from './limits.ts';
export { missingCriteria } from './missingCriteria.ts';
export { formatCount, formatDate, formatDollars, formatNumber, formatPercent } from '../format/format.ts';
export { formatPrice, paymentSummary, readPaymentChoice, type PaymentChoice } from './pricing.ts';
export {
  LOAN_TERMS_MONTHS,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  affordablePrice,
  monthlyPayment,
} from '../criteria/payment.ts';
export { formatLastExecuted } from './limits.ts';
