import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  LOAN_TERMS_MONTHS,
  paymentSummary,
  readPaymentChoice,
  type PaymentChoice,
} from '@forecourt/search/payments';
import { buttonClass } from '@forecourt/slots/ui';
import styles from './PaymentForm.module.css';

const FIELDS = ['down', 'term', 'apr'] as const;

/** What the shopper entered, as URL parameters. */
const fieldsOf = ({ elements }: HTMLFormElement): URLSearchParams =>
  new URLSearchParams(
    FIELDS.map((name) => [name, (elements.namedItem(name) as HTMLInputElement | HTMLSelectElement).value]),
  );

/** The payment calculator: repaints as the shopper types, and works as a GET form without JavaScript. */
export function PaymentForm(props: {
  /** US dollars. */
  price: number;
  initial: PaymentChoice;
  action: string;
  /** Other URL parameters that the form keeps. */
  extraParams: Readonly<Record<string, string>>;
}): ReactNode {
  const { price, initial, action, extraParams } = props;
  const [choice, setChoice] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const update = () => form.current && setChoice(readPaymentChoice(fieldsOf(form.current), price));
  useEffect(() => {
    // Typed before hydration, or restored by the browser on reload.
    if (form.current) setChoice(readPaymentChoice(fieldsOf(form.current), price));
  }, [price]);
  const { monthly, detail } = paymentSummary(price, choice);
  return (
    <form
      ref={form}
      className={styles['payment']}
      method="get"
      action={`${action}#payment`}
      onChange={update}
    >
      {Object.entries(extraParams).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p className={styles['paymentResult']}>
        <output htmlFor="pay-down pay-term pay-apr">
          <strong data-payment="monthly">{monthly}</strong> a month, estimated
        </output>
      </p>
      <div className={styles['fields']}>
        <label>
          Down payment ($)
          <input
            id="pay-down"
            name="down"
            inputMode="numeric"
            autoComplete="off"
            maxLength={11}
            defaultValue={initial.down}
          />
        </label>
        <label>
          Term
          <select id="pay-term" name="term" defaultValue={initial.termMonths}>
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
            defaultValue={initial.aprPercent}
          />
        </label>
      </div>
      <p className={styles['quiet']} data-payment="detail">
        {detail}
      </p>
      <p className={styles['small']}>An estimate, not an offer of credit. Taxes and fees are not included.</p>
      <button type="submit" className={buttonClass('secondary', styles['unscripted'])}>
        Calculate
      </button>
    </form>
  );
}
