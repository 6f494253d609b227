/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { PaymentFields } from './PaymentFields.tsx';
import { readPaymentChoice } from './paymentChoice.ts';

const PRICE = 20_000;

/** What a form with the fields on the page would send. */
const sentQuery = ({ elements }: HTMLFormElement): URLSearchParams =>
  new URLSearchParams(
    [...elements].map((element) => {
      const { name, value } = element as HTMLInputElement | HTMLSelectElement;
      return [name, value];
    }),
  );

describe('payment fields', () => {
  const defaults = { down: 1500, termMonths: 48, aprPercent: 5.25 };
  const mount = (current = defaults) =>
    render(
      <form aria-label="Payment">
        <PaymentFields price={PRICE} defaults={defaults} current={current} />
      </form>,
    );

  it('send what they were filled with', () => {
    mount();
    expect(screen.getByRole('textbox', { name: 'Down payment ($)' })).toHaveValue('1500');
    expect(screen.getByRole('combobox', { name: 'Term' })).toHaveDisplayValue('48 months');
    expect(screen.getByRole('textbox', { name: 'APR (%)' })).toHaveValue('5.25');
    const form = screen.getByRole<HTMLFormElement>('form', { name: 'Payment' });
    expect(readPaymentChoice(sentQuery(form), PRICE)).toEqual(defaults);
  });

  it('show the payment of what was typed since', () => {
    mount({ down: 0, termMonths: 60, aprPercent: 0 });
    expect(screen.getByRole('status')).toHaveTextContent('$333 a month, estimated');
    expect(screen.getByText(/^60 months at 0% APR, \$0 down/)).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Term' })).toHaveDisplayValue('48 months');
  });

  it('say that the down payment covers the price instead of $0 a month', () => {
    mount({ down: PRICE, termMonths: 60, aprPercent: 5 });
    expect(screen.getByRole('status')).toHaveTextContent(/^Covered by your down payment$/);
  });
});
