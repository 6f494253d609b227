import { loadLaterStyles } from './laterStyles.ts';

// Part of the inline script of every page, so it imports little.

/** Input on a slot that was not interactive yet. */
export interface EarlyInput {
  readonly event: Pick<Event, 'type' | 'target' | 'timeStamp'>;
  /** Value of the control right after the change: hydration may reset it. */
  readonly value?: string | undefined;
  readonly checked?: boolean | undefined;
}

declare global {
  interface Window {
    /** Recorded input, oldest first. */
    fcEarly?: EarlyInput[];
  }
}

const MAX_EVENTS = 50;

const isTextField = (target: EventTarget | null) =>
  (target as Element).matches('textarea, input:not([type=checkbox], [type=radio])');

/** Whether a click may wait for the scripts of the page; a link does not. */
const needsScripts = (target: EventTarget | null) =>
  (target as Element).closest('button, summary, input, select, textarea') !== null;

/** Records input, and only the newest text of a field. Input that waits for the scripts starts them. */
const createRecorder = (input: EarlyInput[]) => (event: Event) => {
  const { value, checked } = event.target as HTMLInputElement;
  const earlier = input.findIndex(
    ({ event: { type, target } }) => type === 'input' && event.type === type && target === event.target,
  );
  if (earlier >= 0) input.splice(earlier, 1);
  if (input.length < MAX_EVENTS) input.push({ event, value, checked });
  if (!needsScripts(event.target)) return;
  loadLaterStyles();
  window.fcStart?.();
};

/**
 * Records the visitor's input until the slots are interactive, which replay it. `takeOver` returns true for a click or a
 * change that it handles itself.
 */
export function recordEarlyInput(takeOver: (event: Event) => boolean): void {
  const record = createRecorder((window.fcEarly = []));
  window.oninput = (event) => {
    if (event.isTrusted && isTextField(event.target)) record(event);
  };
  window.onclick = window.onchange = (event) => {
    if (!event.isTrusted) return;
    if (takeOver(event)) event.preventDefault();
    else record(event);
  };
}

/** Selects the element that stands for this one after its slot has been replaced. */
export function selectorOf(element: Element): string {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const attributes = (element.localName === 'a' ? ['href'] : ['type', 'name', 'value'])
    .filter((name) => element.hasAttribute(name))
    .map((name) => `[${name}=${JSON.stringify(element.getAttribute(name))}]`);
  return `#${element.closest('[data-slot]')?.id} ${element.localName}${attributes.join('')}`;
}
