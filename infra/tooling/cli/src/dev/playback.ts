import { sliceState } from '@forecourt/slots/slices';
import { setTimeout as wait } from 'node:timers/promises';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createStore, type RootState, marketplaceState } from '@forecourt/search/state';
import type { SlotModule } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { createEventBus, type EventBus, type EventType } from '@forecourt/slots/events';
import { CALLS } from '@forecourt/upstream/calls';
import { z } from 'zod';

/** What the devtools of a page save: the state that its slots read, and the events on its bus. */
export const recordingSchema = z.object({
  recording: z.literal(1),
  /** Path and query. */
  page: z.string(),
  slots: z.array(
    z.object({
      slot: z.string(),
      remote: z.string().nullable(),
      /** Events that the page lets it emit and hear. */
      emits: z.array(z.string()),
      hears: z.array(z.string()),
    }),
  ),
  state: z.looseObject({ page: z.looseObject({}), search: z.looseObject({}), session: z.looseObject({}) }),
  events: z.array(z.object({ type: z.string(), sender: z.string(), payload: z.unknown() })).max(500),
});
export type Recording = z.infer<typeof recordingSchema>;
type RecordedSlot = Recording['slots'][number];

/** Why a candidate does not fit the page of a recording. */
interface Misfit {
  readonly rule: 'RECORDING_RENDER' | 'RECORDING_HEARS' | 'RECORDING_EMITS';
  readonly expected: string;
  readonly found: string;
  readonly remedy: string;
}

/** Controls that are pressed in each slot. */
const MAX_PRESSES = 200;
const CONTROLS = 'button, a[href], input[type=checkbox], input[type=radio], summary, [role=tab]';
/** ms for a slot to become interactive. */
const MOUNT_MS = 5_000;
/** Turns of the event loop for effects and lazily loaded parts; time would be too short on a busy machine. */
const SETTLE_TURNS = 20;

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) await wait(2);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The candidate's slots on the recorded page. */
class PlayedPage {
  readonly misfits: Misfit[] = [];
  /** Types that slots have listened to. */
  readonly heard = new Set<string>();
  readonly emitted = new Set<string>();
  readonly #recording: Recording;
  readonly #bus: EventBus;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#bus = createEventBus(EVENT_SCHEMAS, ({ type, sender, reason }) =>
      this.#report(
        'RECORDING_EMITS',
        `a valid ${type}`,
        `${sender} emits it with ${reason}`,
        'send what the schema says',
      ),
    );
  }

  #report(rule: Misfit['rule'], expected: string, found: string, remedy: string): void {
    const isKnown = this.misfits.some((misfit) => misfit.rule === rule && misfit.found === found);
    if (!isKnown) this.misfits.push({ rule, expected, found, remedy });
  }

  #fails(slot: string, error: unknown): void {
    const { page } = this.#recording;
    this.#report(
      'RECORDING_RENDER',
      `${slot} shows the recorded state of ${page}`,
      `it throws: ${messageOf(error)}`,
      'handle this state, which a live page has',
    );
  }

  /** Mounts one slot as the page does, with the parts of the state that it needs. */
  async mount(module: SlotModule, { slot, emits, hears }: RecordedSlot): Promise<HTMLElement> {
    const state = sliceState(marketplaceState, this.#recording.state as unknown as RootState, module.reads);
    const store = createStore(state as unknown as RootState);
    const element = document.createElement('div');
    document.body.append(element);
    const environment = {
      slot,
      emit: (type: EventType, payload: unknown) => {
        this.emitted.add(type);
        if (emits.includes(type)) return this.#bus.emit(type, payload as never, slot);
        this.#report(
          'RECORDING_EMITS',
          `events that the page lets ${slot} emit`,
          type,
          'the layout must allow it first',
        );
      },
      listen: (type: EventType, receive: (payload: never) => void) => {
        if (!hears.includes(type)) {
          this.#report(
            'RECORDING_EMITS',
            `events that the page lets ${slot} hear`,
            type,
            'the layout must allow it first',
          );
          return () => {};
        }
        this.heard.add(type);
        const subscription = this.#bus.on(type).subscribe((payload) => {
          try {
            receive(payload as never);
          } catch (error) {
            this.#fails(slot, error);
          }
        });
        return () => subscription.unsubscribe();
      },
      call: (name: keyof typeof CALLS) => {
        const { fallback } = CALLS[name];
        if (fallback.kind === 'empty') return Promise.resolve(fallback.value);
        return Promise.reject(new Error(`${name} was not recorded`));
      },
      attachOutlet: () => () => {},
    };
    const mounted = new Promise<void>((resolve) => {
      mountSlot({
        module,
        store,
        element,
        environment: environment as never,
        onReady: resolve,
        onError: (phase, error) => {
          // Calls are not recorded; a slot that can't load shows its fallback.
          if (phase === 'load') return;
          this.#fails(slot, error);
          resolve();
        },
      });
    });
    await Promise.race([mounted, wait(MOUNT_MS)]);
    await settle();
    return element;
  }

  /** Plays what others have emitted, in the recorded order. */
  async play(ownSlots: ReadonlySet<string>): Promise<void> {
    for (const { type, sender, payload } of this.#recording.events) {
      if (ownSlots.has(sender)) continue;
      this.#bus.emit(type as EventType, payload as never, sender);
      await wait(0);
    }
    await settle();
  }

  /** Presses each control once, so that the slot emits what people make it emit. */
  async press(element: HTMLElement): Promise<void> {
    const controls = [...element.querySelectorAll<HTMLElement>(CONTROLS)].slice(0, MAX_PRESSES);
    for (const control of controls) {
      // Links would leave the page.
      control.addEventListener('click', (event) => event.preventDefault());
      control.click();
      await wait(0);
    }
    await settle();
  }

  /** The live page was heard by this remote; the candidate must hear the same. */
  compareHeard(slots: readonly RecordedSlot[], ownSlots: ReadonlySet<string>): void {
    const others = this.#recording.events.filter(({ sender }) => !ownSlots.has(sender));
    for (const type of new Set(others.map((event) => event.type))) {
      const listener = slots.find(({ hears }) => hears.includes(type));
      if (!listener || this.heard.has(type)) continue;
      this.#report(
        'RECORDING_HEARS',
        `${listener.slot} hears ${type}, which the page emits`,
        'no slot of the candidate listens to it',
        'listen to it, or take it out of the layout first',
      );
    }
  }
}

export interface Playback {
  readonly misfits: readonly Misfit[];
  /** Slots of the remote on the page. */
  readonly slots: readonly string[];
  readonly played: number;
  /** Types that the candidate has listened to and emitted. */
  readonly heard: readonly string[];
  readonly emitted: readonly string[];
}

/** Plays a recording to the slots of a candidate. */
export async function playRecording(
  { name, modules }: { readonly name: string; readonly modules: ReadonlyMap<string, SlotModule> },
  recording: Recording,
): Promise<Playback> {
  const slots = recording.slots.filter(({ remote }) => remote === name);
  const own = new Set(slots.map(({ slot }) => slot));
  const page = new PlayedPage(recording);
  const elements: HTMLElement[] = [];
  for (const slot of slots) {
    const module = modules.get(slot.slot);
    if (module) elements.push(await page.mount(module, slot));
  }
  await page.play(own);
  for (const element of elements) await page.press(element);
  page.compareHeard(slots, own);
  return {
    misfits: page.misfits,
    slots: [...own],
    played: recording.events.filter(({ sender }) => !own.has(sender)).length,
    heard: [...page.heard].sort(),
    emitted: [...page.emitted].sort(),
  };
}
