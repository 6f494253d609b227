import type { EarlyInput } from '../both/earlyInput.ts';
import { CARRIED_OUT_WITHIN_MS } from './mountTiming.ts';

/** What links and forms do needs no script: it has been done. */
function carryOut({ event: { type, target }, value, checked }: EarlyInput): void {
  if (!(target instanceof Element) || !target.isConnected) return;
  if (type === 'click') {
    const button = target.closest('button');
    if (button?.type === 'button') button.click();
  } else if (target instanceof HTMLSelectElement) {
    target.value = value ?? '';
    target.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) {
    // React hears of a change from what it knows, which may be either.
    if (target.checked === checked) target.checked = !checked;
    target.click();
  }
}

/** ms between two of them: the page follows each before the next, as with a hand. */
const APART_MS = 100;

export interface EarlyInputQueue {
  /**
   * Takes what was done inside an element before its slot is mounted there:
   * from then on React keeps it itself. The answer carries it out, in its order
   * and behind what other slots carry out.
   */
  readonly take: (element: Element) => () => void;
  /** Nothing of the page waits for its scripts any more. */
  readonly stop: () => void;
}

export function createEarlyInputQueue(): EarlyInputQueue {
  let last = Promise.resolve();
  const enqueue = (input: EarlyInput) => {
    last = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, APART_MS));
      carryOut(input);
    });
  };
  return {
    take(element) {
      const done = window.fcEarly ?? [];
      const own = done.filter(({ event: { target } }) => target instanceof Node && element.contains(target));
      for (const input of own) done.splice(done.indexOf(input), 1);
      return () => {
        for (const input of own.splice(0))
          if (performance.now() - input.event.timeStamp <= CARRIED_OUT_WITHIN_MS) enqueue(input);
      };
    },
    stop() {
      window.onclick = window.onchange = null;
    },
  };
}
