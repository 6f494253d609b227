/* global document, HTMLElement, CSSStyleSheet, CustomEvent, customElements */
/**
 * <make-offer-modal>: a dialog in which a shopper names a price to a private
 * seller. The page that holds it checks and sends the offer.
 *
 *   element.open({ title, price })          shows it for a vehicle; price in US dollars, if known
 *   element.fill(fields), element.values    the values of the fields, named as in the make-offer call
 *   'input'                                 something was typed
 *   'offer-submit' (detail: the fields)     the shopper sends; offerAmount is a number, NaN for no amount
 *   element.showErrors({ field: text })     what is wrong, beside the fields; the first one gets the focus
 *   element.settle('sent' | 'failed', text) what became of it; text is shown and announced
 *   'offer-close'                           it was closed, in any way
 *
 * No innerHTML and no inline style: it works under Trusted Types and a strict
 * content security policy. Colours and sizes are the page's design tokens.
 */
const CSS = `
  :host { color-scheme: light dark; }
  dialog { box-sizing: border-box; inline-size: min(560px, calc(100vw - 32px)); max-block-size: min(86dvh, 900px);
    padding: 20px; border: 0; border-radius: var(--fc-radius-large, 16px); font: inherit; overflow-y: auto;
    color: var(--fc-color-text, CanvasText); background: var(--fc-color-surface-raised, Canvas);
    box-shadow: var(--fc-shadow-high, none); }
  dialog::backdrop { background: var(--fc-color-overlay, rgb(0 0 0 / 0.5)); }
  h2 { margin: 0 0 4px; font-size: var(--fc-size-large, 1.125rem); }
  p { margin: 0; }
  form { display: grid; gap: 16px; margin-block-start: 16px; }
  label { display: block; margin-block-end: 4px; font-weight: 600; }
  input, textarea, button { box-sizing: border-box; inline-size: 100%; min-block-size: 44px; padding: 8px 12px;
    border: 1px solid var(--fc-color-border-strong, GrayText); border-radius: var(--fc-radius-small, 6px);
    font: inherit; font-size: max(1rem, 16px); color: inherit; background: var(--fc-color-surface, Field); }
  textarea { min-block-size: 96px; resize: vertical; }
  [aria-invalid='true'] { border-color: var(--fc-color-error, #b3161f); box-shadow: inset 0 0 0 1px var(--fc-color-error, #b3161f); }
  .error { margin-block-start: 4px; color: var(--fc-color-error, #b3161f); font-size: 0.8125rem; font-weight: 600; }
  .error:empty { display: none; }
  button { border-radius: 999px; font-weight: 600; cursor: pointer; }
  button[type='submit'] { border-color: transparent; background: var(--fc-color-accent, LinkText); color: var(--fc-color-on-accent, Canvas); }
  :focus-visible { outline: 3px solid var(--fc-color-focus, Highlight); outline-offset: 2px; }
  .head { display: flex; align-items: start; gap: 12px; }
  .head h2 { flex: 1; }
  .close { flex: none; inline-size: 44px; margin: -10px -12px 0 0; padding: 0; border-color: transparent;
    background: none; font-size: 1.5rem; line-height: 1; }
  .foot { display: grid; gap: 12px; margin-block-end: -20px; padding-block: 12px;
    background: var(--fc-color-surface-raised, Canvas); }
  @media (min-height: 480px) { .foot { position: sticky; inset-block-end: -20px; } }
  .row { display: flex; flex-wrap: wrap; gap: 12px; }
  .row > * { flex: 1 1 130px; }
  [role='status']:empty { display: none; }
  [role='status'] { padding: 12px; border-radius: var(--fc-radius, 10px); background: var(--fc-color-accent-soft, transparent); }
  [role='status'].sent { background: var(--fc-color-good-soft, transparent); color: var(--fc-color-good, inherit); }
  [role='status'].failed { background: var(--fc-color-error-soft, transparent); color: var(--fc-color-error, inherit); }
  @media (max-width: 767.98px) {
    dialog { inline-size: 100%; max-inline-size: none; max-block-size: 92dvh; margin: auto 0 0;
      border-end-start-radius: 0; border-end-end-radius: 0; }
  }
`;

/** Dollars and cents: no exponents, no words. */
const AMOUNT = /^\d+(\.\d{1,2})?$/;

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** A label, its input and the place of what is wrong with it. */
const field = (label, input, error) => {
  input.id = input.name;
  error.id = `${input.name}-error`;
  input.setAttribute('aria-describedby', error.id);
  return make('div', {}, make('label', { textContent: label, htmlFor: input.id }), input, error);
};

const FIELDS = {
  offerAmount: [
    'Your offer in US dollars',
    { type: 'text', inputMode: 'numeric', autocomplete: 'off', maxLength: 12, required: true },
  ],
  firstName: ['First name', { type: 'text', autocomplete: 'given-name', maxLength: 60, required: true }],
  lastName: ['Last name', { type: 'text', autocomplete: 'family-name', maxLength: 60, required: true }],
  fromEmailAddress: ['Email', { type: 'email', autocomplete: 'email', maxLength: 254, required: true }],
  phoneNumber: ['Phone (optional)', { type: 'tel', autocomplete: 'tel', maxLength: 20 }],
};

class MakeOfferModal extends HTMLElement {
  #dialog = make('dialog');
  #title = make('h2', { id: 'title', textContent: 'Make an offer' });
  #about = make('p');
  #status = make('p', { role: 'status' });
  #send = make('button', { type: 'submit', textContent: 'Send offer' });
  #cancel = make('button', { type: 'button', textContent: 'Cancel' });
  #close = make('button', { type: 'button', className: 'close', textContent: '×' });
  // The page validates with the server's schema and shows the errors.
  #form = make('form', { method: 'dialog', noValidate: true });
  #inputs = {};
  #errors = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    for (const [name, [label, properties]] of Object.entries(FIELDS))
      this.#form.append(this.#field(name, label, make('input', { name, ...properties })));
    this.#form.append(
      this.#field('comments', 'Message (optional)', make('textarea', { name: 'comments', maxLength: 2000 })),
      // The outcome stays in view with the buttons.
      make(
        'div',
        { className: 'foot' },
        this.#status,
        make('div', { className: 'row' }, this.#cancel, this.#send),
      ),
    );
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#close.setAttribute('aria-label', 'Close');
    this.#dialog.append(
      make('div', { className: 'head' }, this.#title, this.#close),
      this.#about,
      this.#form,
    );
    root.append(this.#dialog);
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#form.addEventListener('input', ({ target }) => this.#setError(target.name, ''));
    for (const button of [this.#cancel, this.#close])
      button.addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('click', ({ target }) => target === this.#dialog && this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.dispatchEvent(new CustomEvent('offer-close')));
  }

  get values() {
    return Object.fromEntries(Object.entries(this.#inputs).map(([name, input]) => [name, input.value]));
  }

  open({ title = '', price } = {}) {
    const asked = typeof price === 'number' ? ` Asking price: $${price.toLocaleString('en-US')}.` : '';
    this.#about.textContent = `${title}.${asked}`;
    this.#say('', '');
    this.#setBusy(false);
    this.#send.hidden = false;
    this.#send.textContent = 'Send offer';
    this.#cancel.textContent = 'Cancel';
    this.showErrors({});
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#inputs.offerAmount.focus();
  }

  close() {
    this.#dialog.close();
  }

  fill(fields) {
    for (const [name, value] of Object.entries(fields))
      if (name in this.#inputs && this.#inputs[name].value !== value) this.#inputs[name].value = value;
  }

  showErrors(errors) {
    for (const name of Object.keys(this.#inputs)) this.#setError(name, errors[name] ?? '');
    const first = Object.keys(this.#inputs).find((name) => errors[name]);
    if (!first) return;
    this.#say('', '');
    this.#setBusy(false);
    this.#inputs[first].focus();
  }

  settle(outcome, text) {
    this.#say(outcome, text);
    this.#setBusy(false);
    this.#send.textContent = 'Try again';
    if (outcome !== 'sent') return;
    this.#send.hidden = true;
    this.#cancel.textContent = 'Done';
    this.#cancel.focus();
  }

  #field(name, label, input) {
    this.#inputs[name] = input;
    this.#errors[name] = make('p', { className: 'error' });
    return field(label, input, this.#errors[name]);
  }

  #setError(name, text) {
    this.#errors[name].textContent = text;
    this.#inputs[name].setAttribute('aria-invalid', String(text !== ''));
  }

  #say(outcome, text) {
    this.#status.className = outcome;
    this.#status.textContent = text;
  }

  /** Not disabled while sending, or the focus would be lost. */
  #setBusy(isBusy) {
    this.#send.setAttribute('aria-disabled', String(isBusy));
  }

  #submit(event) {
    event.preventDefault();
    if (this.#send.getAttribute('aria-disabled') === 'true') return;
    const values = Object.fromEntries(
      Object.entries(this.values).map(([name, value]) => [name, value.trim()]),
    );
    const digits = values.offerAmount.replace(/[$, ]/g, '');
    if (digits !== '' && !AMOUNT.test(digits)) {
      this.showErrors({ offerAmount: 'Enter an amount in dollars, like 9,500' });
      return;
    }
    const offerAmount = digits === '' ? NaN : Number(digits);
    this.#setBusy(true);
    this.#say('', 'Sending…');
    this.dispatchEvent(new CustomEvent('offer-submit', { detail: { ...values, offerAmount } }));
  }
}

if (!customElements.get('make-offer-modal')) customElements.define('make-offer-modal', MakeOfferModal);
