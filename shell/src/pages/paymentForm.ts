import { monthlyPayment, formatDollars } from '@forecourt/shared-contracts/rules';
import { escapeHtml } from '../page/html.ts';
import { TERMS, type PaymentChoice } from './payment.ts';

/** What the payment of a choice comes to, in words: '$512' a month, and how much that is in all. */
export function paymentWords(price: number, { down, termMonths, aprPercent }: PaymentChoice) {
  const monthly = monthlyPayment(price, { down, termMonths, aprPercent });
  return {
    monthly: formatDollars(monthly),
    detail: `${termMonths} months at ${aprPercent} % APR, ${formatDollars(down)} down. Total with interest ${formatDollars(down + monthly * termMonths)}.`,
  };
}

/** Result and fields of a payment calculator, for a form with `data-payment-price`. */
export function paymentFields(price: number, choice: PaymentChoice): string {
  const { monthly, detail } = paymentWords(price, choice);
  const terms = TERMS.map(
    (term) =>
      `<option value="${term}"${term === choice.termMonths ? ' selected' : ''}>${term} months</option>`,
  ).join('');
  return (
    `<p class="fp-payment-result"><output for="pay-down pay-term pay-apr"><strong data-payment="monthly">${monthly}</strong> a month, estimated</output></p>` +
    '<div class="fp-fields">' +
    `<label>Down payment, $<input id="pay-down" name="down" inputmode="numeric" autocomplete="off" maxlength="11" value="${choice.down}"></label>` +
    `<label>Term<select id="pay-term" name="term">${terms}</select></label>` +
    `<label>Rate, % APR<input id="pay-apr" name="apr" inputmode="decimal" autocomplete="off" maxlength="6" value="${choice.aprPercent}"></label></div>` +
    `<p class="fp-quiet" data-payment="detail">${detail}</p>` +
    '<p class="fp-small">An estimate, not an offer of credit. Taxes and fees are not included.</p>'
  );
}

/**
 * The payment calculator: a GET form to `action`, repainted in the browser as
 * it is filled in. `kept` are further parameters of the page.
 */
export function paymentForm(
  price: number,
  choice: PaymentChoice,
  action: string,
  kept: readonly (readonly [name: string, value: string])[],
): string {
  const hidden = kept
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return (
    `<form class="fp-payment" method="get" action="${escapeHtml(action)}#payment" data-payment-price="${price}">${hidden}` +
    paymentFields(price, choice) +
    '<button type="submit" class="fc-action-quiet fp-no-script">Calculate</button></form>'
  );
}
