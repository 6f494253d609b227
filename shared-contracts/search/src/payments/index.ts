export {
  affordablePrice,
  type LoanTerms,
  LOAN_TERMS_MONTHS,
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  paymentText,
  WALLET_EXAMPLE_MONTHLY,
  walletTerms,
} from './loan.ts';
export { type PaymentChoice, paymentSummary, readPaymentChoice } from './paymentChoice.ts';
export { formatPrice } from './price.ts';
