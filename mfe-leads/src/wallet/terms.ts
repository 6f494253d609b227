import {
  affordablePrice,
  LOAN_TERMS_MONTHS,
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  WALLET_EXAMPLE_MONTHLY,
} from '@forecourt/shared-contracts/rules';
import type { SessionState } from '@forecourt/shared-contracts/store';

/** The wallet as it is typed. */
export type WalletFields = Readonly<Record<keyof NonNullable<SessionState['wallet']>, string>>;

export const WALLET_FIELDS = [
  'monthlyBudget',
  'downPayment',
  'termMonths',
  'aprPercent',
  'tradeInValue',
] as const satisfies readonly (keyof NonNullable<SessionState['wallet']>)[];

/** What a new wallet shows for a vehicle's price, if there is one; nothing but the budget has to be filled in (AMB-112). */
export const exampleFields = (price = 0): WalletFields => ({
  monthlyBudget: String(WALLET_EXAMPLE_MONTHLY),
  downPayment: String(Math.round(price * PAYMENT_DOWN_SHARE)),
  termMonths: String(PAYMENT_TERM_MONTHS),
  aprPercent: String(PAYMENT_APR_PERCENT),
  tradeInValue: '0',
});

const isTerm = (months: number): boolean => LOAN_TERMS_MONTHS.some((term) => term === months);

/** A wallet as it is shown; a term that nobody lends for becomes the usual one. */
export const fieldsOfWallet = (wallet: NonNullable<SessionState['wallet']>): WalletFields => ({
  ...(Object.fromEntries(WALLET_FIELDS.map((name) => [name, String(wallet[name])])) as WalletFields),
  termMonths: String(isTerm(wallet.termMonths) ? wallet.termMonths : PAYMENT_TERM_MONTHS),
});

/** '$1,200' → 1200; NaN for what is no number, which the schema refuses. */
const numberOf = (text: string): number =>
  text.trim() === '' ? NaN : Number(text.replaceAll(/[$,%\s]/g, ''));

/** What the fields say, unchecked: an empty amount but the budget counts as none. */
export const walletOf = (fields: WalletFields): NonNullable<SessionState['wallet']> => ({
  monthlyBudget: numberOf(fields.monthlyBudget),
  downPayment: numberOf(fields.downPayment || '0'),
  termMonths: numberOf(fields.termMonths),
  // Hundredths: the formula has no answer for a rate that is almost nothing.
  aprPercent: Math.round(numberOf(fields.aprPercent) * 100) / 100,
  tradeInValue: numberOf(fields.tradeInValue || '0'),
});

const termsOf = ({
  downPayment,
  tradeInValue,
  termMonths,
  aprPercent,
}: NonNullable<SessionState['wallet']>) => ({
  down: downPayment + tradeInValue,
  termMonths,
  aprPercent,
});

/** The price in whole USD that the wallet pays for: what is borrowed on the budget, and what is paid at once (AMB-112). */
export const budgetPrice = (wallet: NonNullable<SessionState['wallet']>): number =>
  affordablePrice(wallet.monthlyBudget, termsOf(wallet));

/** Monthly payment for a price with this wallet, whole USD. */
export const walletPayment = (price: number, wallet: NonNullable<SessionState['wallet']>): number =>
  monthlyPayment(price, termsOf(wallet));
