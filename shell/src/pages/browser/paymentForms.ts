import { formatDollars } from '@forecourt/shared-contracts/rules';
import { readPaymentChoice } from '../payment.ts';
import { paymentWords } from '../paymentForm.ts';

/** Repaints a payment calculator as it is filled in, by the server's own rule. */
export function followPaymentForm(form: HTMLFormElement): void {
  const monthly = form.querySelector('[data-payment="monthly"]');
  const detail = form.querySelector('[data-payment="detail"]');
  const shownPrice = form.querySelector('[data-payment="price"]');
  const repaint = () => {
    const chosen = form.querySelector<HTMLElement>('[data-price]:checked');
    const price = Number(chosen?.dataset['price'] ?? form.dataset['paymentPrice']);
    const query = new URLSearchParams(
      [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    const words = paymentWords(price, readPaymentChoice(query, price));
    if (monthly) monthly.textContent = words.monthly;
    if (shownPrice) shownPrice.textContent = formatDollars(price);
    if (detail) detail.textContent = words.detail;
  };
  form.addEventListener('input', repaint);
  form.addEventListener('change', repaint);
  // What the browser kept of a form before a reload.
  repaint();
}
