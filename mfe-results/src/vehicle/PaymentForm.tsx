import { useEffect, useRef, useState, type ReactNode } from 'react';
import { PaymentFields } from '@forecourt/search/paymentFields';
import { readPaymentChoice, type PaymentChoice } from '@forecourt/search/payments';
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
      <PaymentFields price={price} defaults={initial} current={choice} />
      <button type="submit" className={buttonClass('secondary', styles['unscripted'])}>
        Calculate
      </button>
    </form>
  );
}
