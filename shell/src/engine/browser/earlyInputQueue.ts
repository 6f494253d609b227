import type { EarlyInput } from './earlyInput.ts';
import { REPLAY_WITHIN_MS } from './mountTiming.ts';

/** Unless the visitor has typed on, the text is the recorded one: rendering may have reset the field. */
function replayText(field: HTMLInputElement | HTMLTextAreaElement, recordedText: string): void {
  const text = field.value === field.defaultValue ? recordedText : field.value;
  if (field === document.activeElement) field.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  // React ignores the event if the value is the last one that was set through the property of the element itself.
  field.value = '';
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Links and forms work without scripts, so only scripted controls are replayed. */
function replay({ event: { type, target }, value, checked }: EarlyInput): void {
  if (!(target instanceof Element) || !target.isConnected) return;
  if (type === 'click') {
    const button = target.closest('button');
    if (button?.type === 'button') button.click();
  } else if (target instanceof HTMLSelectElement) {
    target.value = value ?? '';
    target.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (type === 'input') {
    replayText(target as HTMLInputElement | HTMLTextAreaElement, value ?? '');
  } else if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) {
    // React compares with its own last value, which may be either.
    if (target.checked === checked) target.checked = !checked;
    target.click();
  }
}

/** ms between two replayed events, so that the page handles each before the next. */
const REPLAY_GAP_MS = 100;

/** Replays recorded input, slot by slot. */
export function createEarlyInputQueue() {
  let last = Promise.resolve();
  const enqueue = (input: EarlyInput) => {
    last = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, REPLAY_GAP_MS));
      replay(input);
    });
  };
  return {
    /**
     * Takes the input inside an element before its slot is mounted; from then on
     * React replays events itself. The returned function replays the input in order.
     */
    take(element: Element): () => void {
      const recorded = window.fcEarly ?? [];
      const own = recorded.filter(
        ({ event: { target } }) => target instanceof Node && element.contains(target),
      );
      for (const input of own) recorded.splice(recorded.indexOf(input), 1);
      return () => {
        for (const input of own.splice(0))
          if (performance.now() - input.event.timeStamp <= REPLAY_WITHIN_MS) enqueue(input);
      };
    },
    /** Stops recording: everything in the first view is interactive. */
    stop(): void {
      window.onclick = window.onchange = window.oninput = null;
    },
  };
}
