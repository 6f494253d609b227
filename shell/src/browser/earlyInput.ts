import type { EarlyInput } from '../both/earlyInput.ts';
import { REPLAY_WITHIN_MS } from './mountTiming.ts';

/** Links and forms work without scripts, so only scripted controls are replayed. */
function replay({ event: { type, target }, value, checked }: EarlyInput): void {
  if (!(target instanceof Element) || !target.isConnected) return;
  if (type === 'click') {
    const button = target.closest('button');
    if (button?.type === 'button') button.click();
  } else if (target instanceof HTMLSelectElement) {
    target.value = value ?? '';
    target.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) {
    // React compares with its own last value, which may be either.
    if (target.checked === checked) target.checked = !checked;
    target.click();
  }
}

/** ms between two replayed events, so that the page handles each before the next. */
const REPLAY_GAP_MS = 100;

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
      window.onclick = window.onchange = null;
    },
  };
}
