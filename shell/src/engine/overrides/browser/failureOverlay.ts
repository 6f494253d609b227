import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import type { EventBus } from '@forecourt/slots/events';
import type { SlotFailure } from '../../browser/slotMounts.ts';
import { messageOf, stackOf } from '../../universal/messageOf.ts';

/** Failures that the overlay keeps. */
const MAX_SHOWN = 5;

const STYLES = `
:host { all: initial; }
section { position: fixed; inset: auto 12px 12px; z-index: 2147483001; max-block-size: 60vh; overflow: auto;
  border: 2px solid #c4202b; border-radius: 8px; background: #fff; color: #1b1b1b; font: 14px/1.45 system-ui, sans-serif; }
header { position: sticky; inset-block-start: 0; display: flex; align-items: center; justify-content: space-between;
  padding-inline-start: 12px; background: #c4202b; color: #fff; }
button { min-block-size: 44px; padding-inline: 16px; border: 0; background: none; color: inherit; font: inherit; font-weight: 700; cursor: pointer; }
pre { margin: 12px; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.4 ui-monospace, monospace; }
`;

function describe({ slot, phase, error, componentStack }: SlotFailure): string {
  const frames = [stackOf(error), componentStack?.replace(/^\n/, '')].filter((text) => text);
  return [`Slot ${slot} failed in the browser (${phase}): ${messageOf(error)}`, ...frames].join('\n');
}

/**
 * Shows failures of slots over a page of `npm run dev` or `forecourt dev`, in its console, and in the terminal that runs it.
 * Otherwise the page would only keep the server's HTML.
 */
export class FailureOverlay {
  readonly #host = document.createElement('div');
  readonly #list = document.createElement('div');

  constructor() {
    this.#host.id = 'fc-failures';
    const shadow = this.#host.attachShadow({ mode: 'open' });
    // The page's Content Security Policy allows style elements only by hash.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    shadow.adoptedStyleSheets = [sheet];
    const section = document.createElement('section');
    section.role = 'alert';
    const header = document.createElement('header');
    const close = document.createElement('button');
    close.textContent = 'Close';
    close.addEventListener('click', () => this.#close());
    header.append('A slot failed', close);
    section.append(header, this.#list);
    shadow.append(section);
  }

  /** Of slots that are mounted. */
  readonly show = (failure: SlotFailure): void => {
    const text = describe(failure);
    // oxlint-disable-next-line no-console -- for the developer of the slot: the error first, whose frames browsers map to sources
    console.error(
      failure.error,
      `\nSlot ${failure.slot} failed (${failure.phase})`,
      failure.componentStack ?? '',
    );
    this.#add(text);
  };

  /** To failures that are found later, and which the console has already. */
  listen(bus: EventBus): void {
    bus.on('slot.failed').subscribe(({ slot, phase, message }) => {
      if (phase === 'run' || phase === 'budget') this.#add(describe({ slot, phase, error: message }));
    });
  }

  #add(text: string): void {
    const entry = document.createElement('pre');
    entry.textContent = text;
    this.#list.prepend(entry);
    this.#list.children[MAX_SHOWN]?.remove();

    if (!this.#host.isConnected) document.body.append(this.#host);
    void fetch(`${OVERRIDES_PATH}/failures`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: text.slice(0, MAX_REPORT),
    }).catch(() => {
      // The terminal is gone; the overlay has told it.
    });
  }

  #close(): void {
    this.#host.remove();
    this.#list.replaceChildren();
  }
}

/** Characters. */
const MAX_REPORT = 8_000;
