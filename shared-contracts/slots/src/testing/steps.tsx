import { useEffect, useState, type ReactNode } from 'react';
import type { EventInput, EventType } from '../register.ts';
import { defineSlot, type SlotModule } from '../defineSlot.ts';
import { useSlotEnvironment, type SlotEnvironment } from '../environment.tsx';

/** An action of the shopper or the page in a mounted slot. Rejects when it fails. */
type Step = (environment: SlotEnvironment) => Promise<void> | void;

const POLL_MS = 20;
const TIMEOUT_MS = 8_000;

/**
 * Waits for an element, because its code may have to load first. With `text`, the first one whose text starts
 * with it.
 */
async function findElement<T extends HTMLElement>(selector: string, text = ''): Promise<T> {
  for (let elapsed = 0; elapsed < TIMEOUT_MS; elapsed += POLL_MS) {
    for (const element of document.querySelectorAll<T>(selector))
      if (element.textContent.trim().startsWith(text)) return element;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`timed out waiting for ${selector} ${text}`);
}

export const emitEvent =
  <T extends EventType>(type: T, payload: EventInput<T>): Step =>
  ({ emit }) =>
    emit(type, payload);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Types into fields by name, with the events that React listens to. */
export const typeInto =
  (fields: Readonly<Record<string, string>>): Step =>
  async () => {
    for (const [name, text] of Object.entries(fields)) {
      const control = await findElement<Control>(`[name="${name}"]`);
      // The prototype's setter: React overrides the one on the element and would see no change.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text);
      const type = control instanceof HTMLSelectElement ? 'change' : 'input';
      control.dispatchEvent(new Event(type, { bubbles: true }));
    }
  };

export const press =
  (selector: string, text?: string): Step =>
  async () =>
    (await findElement(selector, text)).click();

export const waitFor =
  (selector: string): Step =>
  async () =>
    void (await findElement(selector));

/** The slot after the steps; `data-played` is set when they are done. */
export function withSteps(module: SlotModule, ...steps: readonly Step[]): SlotModule {
  const { view: View } = module;
  function Played(): ReactNode {
    const environment = useSlotEnvironment();
    const [outcome, setOutcome] = useState('not yet');
    useEffect(() => {
      let isMounted = true;
      const play = async () => {
        for (const step of steps) if (isMounted) await step(environment);
      };
      play().then(
        () => isMounted && setOutcome('done'),
        (error: unknown) => isMounted && setOutcome(String(error)),
      );
      return () => {
        isMounted = false;
      };
    }, [environment]);
    return (
      <>
        <View data={undefined} />
        <span hidden data-played={outcome} />
      </>
    );
  }
  return defineSlot({ reads: module.reads, view: Played });
}
