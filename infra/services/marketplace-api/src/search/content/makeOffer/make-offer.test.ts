/** @jest-environment jest-fixed-jsdom */
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

interface MakeOfferModal extends HTMLElement {
  open(vehicle: { title?: string; price?: number }): void;
  settle(outcome: 'sent' | 'failed', text: string): void;
  fill(fields: Record<string, string>): void;
  showErrors(errors: Record<string, string>): void;
  readonly values: Record<string, string>;
}

describe('<make-offer-modal>', () => {
  beforeAll(async () => {
    // jsdom has neither constructable style sheets nor modal dialogs.
    Object.assign(globalThis, {
      CSSStyleSheet: class {
        replaceSync(): void {}
      },
    });
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true;
    };
    HTMLDialogElement.prototype.close = function () {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    };
    const script = './make-offer.js';
    await import(script);
  });

  let modal: MakeOfferModal;
  const offers: unknown[] = [];
  beforeEach(() => {
    document.body.replaceChildren();
    offers.length = 0;
    modal = document.createElement('make-offer-modal') as MakeOfferModal;
    modal.addEventListener('offer-submit', (event) => offers.push((event as CustomEvent<unknown>).detail));
    document.body.append(modal);
    modal.open({ title: '2021 Ford F-150 XLT', price: 38_000 });
  });
  const within = <Found extends Element>(selector: string) =>
    modal.shadowRoot!.querySelector<Found>(selector)!;
  const input = (name: string) => within<HTMLInputElement>(`[name=${name}]`);
  const submit = () =>
    within<HTMLFormElement>('form').dispatchEvent(new Event('submit', { cancelable: true }));

  it('shows the vehicle and its asking price in the offer dialog', () => {
    expect(within('dialog').getAttribute('aria-labelledby')).toBe('title');
    expect(within('dialog').textContent).toContain('2021 Ford F-150 XLT. Asking price: $38,000.');
  });

  it('submits the offer in whole dollars with the fields of the call', () => {
    modal.fill({
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      isOneClickOptedIn: 'x',
    });
    input('offerAmount').value = '$35,500';
    submit();
    expect(offers).toEqual([
      {
        offerAmount: 35_500,
        firstName: 'Ada',
        lastName: 'Byron',
        fromEmailAddress: 'ada@example.com',
        phoneNumber: '',
        comments: '',
      },
    ]);
    modal.settle('sent', 'Your offer is on its way.');
    expect(within('[role=status]').textContent).toBe('Your offer is on its way.');
    expect(within<HTMLButtonElement>('[type=submit]').hidden).toBe(true);
  });

  it("shows the page's validation errors next to the offer's fields", () => {
    submit();
    expect(offers).toEqual([expect.objectContaining({ offerAmount: NaN })]);
    modal.showErrors({ offerAmount: 'Enter your offer' });
    expect(input('offerAmount').getAttribute('aria-invalid')).toBe('true');
    expect(within('form').textContent).toContain('Enter your offer');
    expect(modal.shadowRoot!.activeElement).toBe(input('offerAmount'));
    input('offerAmount').value = '5';
    input('offerAmount').dispatchEvent(new Event('input', { bubbles: true }));
    expect(input('offerAmount').getAttribute('aria-invalid')).toBe('false');
  });

  it('submits an offer once while a submission is pending', () => {
    submit();
    submit();
    expect(offers).toHaveLength(1);
  });

  it("keeps the offer's input when sending failed, and emits an event when closed", () => {
    const closed = jest.fn();
    modal.addEventListener('offer-close', closed);
    input('offerAmount').value = '100';
    submit();
    modal.settle('failed', 'Try again.');
    expect(input('offerAmount').value).toBe('100');
    expect(within('[type=submit]').getAttribute('aria-disabled')).toBe('false');
    expect(modal.values['offerAmount']).toBe('100');
    within<HTMLButtonElement>('.row [type=button]').click();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('closes with the button in its corner', () => {
    const closed = jest.fn();
    modal.addEventListener('offer-close', closed);
    within<HTMLButtonElement>('[aria-label=Close]').click();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it.each(['1e5', 'abc', '-5', '9.999'])('refuses %s as an amount, with an example of one', (amount) => {
    input('offerAmount').value = amount;
    submit();
    expect(offers).toEqual([]);
    expect(within('#offerAmount-error').textContent).toBe('Enter an amount in dollars, like 9,500');
    expect(modal.shadowRoot!.activeElement).toBe(input('offerAmount'));
  });
});
