import type { ReactNode } from 'react';
import { formatDollars } from '../format/format.ts';
import { LOAN_TERMS_MONTHS, paymentText } from './loan.ts';
import { paymentSummary, type PaymentChoice } from './paymentChoice.ts';
import styles from './PaymentFields.module.css';

/** Class of a row of labeled inputs, below each other where there is no room. */
export const fieldRowClass = `${styles['fields']}`;

/**
 * The monthly payment for a price, and the fields of a form that change it: `down`, `term` and `apr`, as `readPaymentChoice` reads them. `defaults` fill the fields, `current` is what the shopper has
 * typed since.
 */
export function PaymentFields(props: {
  /** US dollars. */
  readonly price: number;
  readonly defaults: PaymentChoice;
  readonly current: PaymentChoice;
}): ReactNode {
  const { price, defaults, current } = props;
  const { monthly, detail } = paymentSummary(price, current);
  return (
    <>
      <p className={styles['result']}>
        <output htmlFor="pay-down pay-term pay-apr">
          <strong data-payment="monthly">
            {monthly === 0 ? paymentText(monthly) : formatDollars(monthly)}
          </strong>
          {monthly > 0 && ' a month, estimated'}
        </output>
      </p>
      <div className={fieldRowClass}>
        <label>
          Down payment ($)
          <input
            id="pay-down"
            name="down"
            inputMode="numeric"
            autoComplete="off"
            maxLength={11}
            defaultValue={defaults.down}
          />
        </label>
        <label>
          Term
          <select id="pay-term" name="term" defaultValue={defaults.termMonths}>
            {LOAN_TERMS_MONTHS.map((months) => (
              <option key={months} value={months}>{`${months} months`}</option>
            ))}
          </select>
        </label>
        <label>
          APR (%)
          <input
            id="pay-apr"
            name="apr"
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            defaultValue={defaults.aprPercent}
          />
        </label>
      </div>
      <p className={styles['detail']} data-payment="detail">
        {detail}
      </p>
      <p className={styles['note']}>An estimate, not an offer of credit. Taxes and fees are not included.</p>
    </>
  );
}
