import {
  affordablePrice,
  LOAN_TERMS_MONTHS,
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  WALLET_EXAMPLE_MONTHLY,
  walletTerms,
} from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';

/** Wallet fields as typed. */
export type WalletFields = Readonly<Record<keyof NonNullable<SessionState['wallet']>, string>>;

export const WALLET_FIELDS = [
  'monthlyBudget',
  'downPayment',
  'termMonths',
  'aprPercent',
  'tradeInValue',
] as const satisfies readonly (keyof NonNullable<SessionState['wallet']>)[];

/** Fields of a new wallet; without a down payment, it is a share of each price. */
export const DEFAULT_FIELDS: WalletFields = {
  monthlyBudget: String(WALLET_EXAMPLE_MONTHLY),
  downPayment: '',
  termMonths: String(PAYMENT_TERM_MONTHS),
  aprPercent: String(PAYMENT_APR_PERCENT),
  tradeInValue: '',
};

const isTerm = (months: number): boolean => LOAN_TERMS_MONTHS.some((term) => term === months);

/** Fields of a saved wallet; a term that is not offered becomes the default. */
export const walletToFields = (wallet: NonNullable<SessionState['wallet']>): WalletFields => ({
  ...(Object.fromEntries(WALLET_FIELDS.map((name) => [name, String(wallet[name] ?? '')])) as WalletFields),
  termMonths: String(isTerm(wallet.termMonths) ? wallet.termMonths : PAYMENT_TERM_MONTHS),
});

/** '$1,200' → 1200; NaN for invalid input, which the schema refuses. */
const numberOf = (text: string): number =>
  text.trim() === '' ? NaN : Number(text.replaceAll(/[$,%\s]/g, ''));

/** Parses the fields without validation. An empty trade-in counts as 0, an empty down payment as none. */
export const fieldsToWallet = (fields: WalletFields): NonNullable<SessionState['wallet']> => ({
  monthlyBudget: numberOf(fields.monthlyBudget),
  ...(fields.downPayment.trim() !== '' && { downPayment: numberOf(fields.downPayment) }),
  termMonths: numberOf(fields.termMonths),
  // Rounded to hundredths: the formula breaks down for rates close to 0.
  aprPercent: Math.round(numberOf(fields.aprPercent) * 100) / 100,
  tradeInValue: numberOf(fields.tradeInValue || '0'),
});

/** Down payment for a price, whole USD. */
export const downPaymentOf = (price: number, wallet: NonNullable<SessionState['wallet']>): number =>
  walletTerms(wallet).down ?? Math.round(price * PAYMENT_DOWN_SHARE);

/** Price that the wallet covers, whole USD: the loan that the budget repays plus the down payment. */
export const budgetPrice = (wallet: NonNullable<SessionState['wallet']>): number =>
  affordablePrice(wallet.monthlyBudget, walletTerms(wallet));

/** Monthly payment for a price with this wallet, whole USD. */
export const walletPayment = (price: number, wallet: NonNullable<SessionState['wallet']>): number =>
  monthlyPayment(price, walletTerms(wallet));
