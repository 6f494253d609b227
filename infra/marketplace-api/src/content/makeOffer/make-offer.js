/* global document, HTMLElement, CSSStyleSheet, CustomEvent, customElements */
/**
 * <make-offer-modal>: a dialog in which a shopper names a price to a private
 * seller. The page that holds it sends the offer.
 *
 *   element.open({ title, price })          shows it for a vehicle; price in US dollars, if known
 *   'offer-submit' (detail: the fields)     the shopper sends; fields as the make-offer call takes them
 *   element.settle('sent' | 'failed', text) what became of it; text is shown and announced
 *   'offer-close'                           it was closed
 *
 * No innerHTML and no inline style: it works under Trusted Types and a strict
 * content security policy.
 */
const CSS = `
  :host { color-scheme: light dark; }
  dialog { inline-size: min(30rem, calc(100vw - 2rem)); border: 0; border-radius: var(--radius-large, 12px);
    padding: 1.25rem; font: inherit; color: var(--color-text, CanvasText); background: var(--color-surface, Canvas); }
  dialog::backdrop { background: rgb(0 0 0 / 0.5); }
  h2 { margin: 0 0 .25rem; font-size: 1.25rem; }
  form { display: grid; gap: .75rem; margin-block-start: 1rem; }
  label { display: grid; gap: .25rem; font-weight: 600; }
  input, textarea, button { font: inherit; min-block-size: 44px; padding: .5rem .75rem; border-radius: 8px;
    border: 1px solid var(--color-border, GrayText); color: inherit; background: transparent; }
  textarea { min-block-size: 6rem; resize: vertical; }
  :user-invalid { border-color: var(--color-danger, #b3261e); }
  button { cursor: pointer; }
  button[type='submit'] { background: var(--color-primary, LinkText); color: var(--color-on-primary, Canvas); border-color: transparent; }
  :focus-visible { outline: 3px solid var(--color-focus, Highlight); outline-offset: 2px; }
  .row { display: flex; flex-wrap: wrap; gap: .75rem; }
  .row > * { flex: 1 1 8rem; }
  [role='status']:empty { display: none; }
`;

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const field = (label, input) => make('label', {}, make('span', { textContent: label }), input);

const FIELDS = {
  offerAmount: [
    'Your offer in US dollars',
    { type: 'text', inputMode: 'numeric', pattern: '[0-9$, ]{1,12}', required: true },
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
  #form = make('form', { method: 'dialog' });
  #inputs = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    for (const [name, [label, properties]] of Object.entries(FIELDS)) {
      const input = make('input', { name, ...properties });
      this.#inputs[name] = input;
      this.#form.append(field(label, input));
    }
    this.#inputs.comments = make('textarea', { name: 'comments', maxLength: 2000 });
    this.#form.append(
      field('Message (optional)', this.#inputs.comments),
      this.#status,
      make('div', { className: 'row' }, this.#cancel, this.#send),
    );
    this.#dialog.setAttribute('aria-labelledby', 'title');
    this.#dialog.append(this.#title, this.#about, this.#form);
    root.append(this.#dialog);
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#cancel.addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.dispatchEvent(new CustomEvent('offer-close')));
  }

  open({ title = '', price } = {}) {
    const asked = typeof price === 'number' ? ` The seller asks $${price.toLocaleString('en-US')}.` : '';
    this.#about.textContent = `${title}.${asked}`;
    this.#status.textContent = '';
    this.#send.disabled = false;
    this.#send.hidden = false;
    this.#cancel.textContent = 'Cancel';
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#inputs.offerAmount.focus();
  }

  close() {
    this.#dialog.close();
  }

  /** Fills in what is known of the shopper. */
  prefill(profile) {
    for (const [name, value] of Object.entries(profile))
      if (name in this.#inputs && this.#inputs[name].value === '') this.#inputs[name].value = value;
  }

  settle(outcome, text) {
    this.#status.textContent = text;
    this.#send.disabled = false;
    if (outcome !== 'sent') return;
    this.#send.hidden = true;
    this.#cancel.textContent = 'Close';
    this.#inputs.offerAmount.value = '';
    this.#inputs.comments.value = '';
  }

  #submit(event) {
    event.preventDefault();
    const values = Object.fromEntries(
      Object.entries(this.#inputs).map(([name, input]) => [name, input.value.trim()]),
    );
    const offerAmount = Number(values.offerAmount.replace(/[$, ]/g, ''));
    if (!Number.isInteger(offerAmount) || offerAmount < 1) {
      this.#status.textContent = 'Enter your offer in whole dollars.';
      this.#inputs.offerAmount.focus();
      return;
    }
    this.#send.disabled = true;
    this.#status.textContent = 'Sending…';
    this.dispatchEvent(new CustomEvent('offer-submit', { detail: { ...values, offerAmount } }));
  }
}

if (!customElements.get('make-offer-modal')) customElements.define('make-offer-modal', MakeOfferModal);
