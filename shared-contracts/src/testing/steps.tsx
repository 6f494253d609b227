import { useEffect, useState, type ReactNode } from 'react';
import type { EventInput, EventType } from '../events/eventSchemas.ts';
import { defineSlot, type SlotModule } from '../slots/defineSlot.ts';
import { useSlotEnvironment, type SlotEnvironment } from '../slots/environment.tsx';

/** One thing that a shopper or the page does, once a slot is there. Rejects when it cannot be done. */
type Step = (environment: SlotEnvironment) => Promise<void> | void;

const LOOK_EVERY_MS = 20;
const GIVE_UP_AFTER_MS = 8_000;

/**
 * The element as soon as it is there: what a step needs may have to be fetched
 * first. With a `text` the first one whose own words begin with it.
 */
async function appears<T extends HTMLElement>(selector: string, text = ''): Promise<T> {
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += LOOK_EVERY_MS) {
    for (const element of document.querySelectorAll<T>(selector))
      if (element.textContent.trim().startsWith(text)) return element;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`${selector} ${text} does not appear`);
}

export const emitEvent =
  <T extends EventType>(type: T, payload: EventInput<T>): Step =>
  ({ emit }) =>
    emit(type, payload);

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Types into fields, by their names, as React hears it. */
export const typeInto =
  (fields: Readonly<Record<string, string>>): Step =>
  async () => {
    for (const [name, text] of Object.entries(fields)) {
      const control = await appears<Control>(`[name="${name}"]`);
      // The prototype's own setter: React keeps its value on the element and would see no change.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text);
      const type = control instanceof HTMLSelectElement ? 'change' : 'input';
      control.dispatchEvent(new Event(type, { bubbles: true }));
    }
  };

export const press =
  (selector: string, text?: string): Step =>
  async () =>
    (await appears(selector, text)).click();

export const waitFor =
  (selector: string): Step =>
  async () =>
    void (await appears(selector));

/** The slot as it is after the steps; `data-played` stands on the page when they are done. */
export function withSteps(module: SlotModule, ...steps: readonly Step[]): SlotModule {
  const { view: View } = module;
  function Played(): ReactNode {
    const environment = useSlotEnvironment();
    const [outcome, setOutcome] = useState('not yet');
    useEffect(() => {
      let isWanted = true;
      const play = async () => {
        for (const step of steps) if (isWanted) await step(environment);
      };
      play().then(
        () => isWanted && setOutcome('done'),
        (error: unknown) => isWanted && setOutcome(String(error)),
      );
      return () => {
        isWanted = false;
      };
    }, [environment]);
    return (
      <>
        <View data={undefined} />
        <span hidden data-played={outcome} />
      </>
    );
  }
  return defineSlot({ needs: module.needs, view: Played });
}
