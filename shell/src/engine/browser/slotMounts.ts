import type { SlotEnvironment, SlotModule } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import type { EventBus, EventPayload } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import { slotElementId } from '../universal/slotElements.ts';
import type { BootData, BootFrame, BootSlot } from '../universal/bootData.ts';
import { CallError, createCall, PermanentError, persistently } from './call.ts';
import { permittedEvents } from './permittedEvents.ts';
import { releaseOf } from './releaseOf.ts';
import type { ExceededBudget, SlotBudgets } from './slotBudgets.ts';
import {
  collectWakingEvents,
  type WakingEvents,
  atHydrationTime,
  followAfterPaint,
  whenVisible,
} from './mountTiming.ts';
import { selectorOf } from './earlyInput.ts';
import { createEarlyInputQueue } from './earlyInputQueue.ts';
import type { BrowserSite } from './browserSite.ts';
import { messageOf } from '../universal/messageOf.ts';

/**
 * Restores the focus to a control that the browser has replaced, unless the visitor has moved it. `focusFallback`: see
 * `BrowserSite`.
 */
function restoreFocus({ dataset }: HTMLElement, focusFallback: string): void {
  const { focus } = dataset;
  if (focus === undefined) return;
  delete dataset['focus'];
  if (document.activeElement?.matches(`body, ${focusFallback}`))
    document.querySelector<HTMLElement>(focus)?.focus({ preventScroll: true });
}

export interface MountParts {
  readonly site: Pick<BrowserSite, 'root' | 'events' | 'focusFallback' | 'loadFrames'>;
  readonly boot: BootData;
  readonly store: SlotStore;
  readonly bus: EventBus;
  readonly budgets: SlotBudgets;
  readonly loadModule: (slot: BootSlot) => Promise<SlotModule>;
  readonly loadStyle: (url: string) => Promise<void>;
  readonly interceptBack?: SlotEnvironment['interceptBack'] | undefined;
  readonly onFailure?: ((failure: SlotFailure) => void) | undefined;
}

/** A failure in all detail, for the developers of the slot. */
export interface SlotFailure {
  readonly slot: string;
  readonly phase: Phase;
  readonly error: unknown;
  /** React's, e.g. '\n    at Card (…)'. */
  readonly componentStack?: string | null | undefined;
}

const TOO_MANY_REQUESTS = 429;

type Phase = EventPayload<'slot.failed'>['phase'];

/** Whether files of the slot didn't come, or their code failed; webpack's chunks have an error of their own. */
const loadingPhase = (error: unknown): Phase =>
  /Network|Chunk/.test((error as Error).name) ? 'load' : 'evaluate';

type FramedBootSlot = BootSlot & { readonly frame: BootFrame };
const isFramed = (slot: BootSlot): slot is FramedBootSlot => slot.frame !== undefined;

const createFailureReport =
  ({ boot, bus, onFailure }: Pick<MountParts, 'boot' | 'bus' | 'onFailure'>) =>
  (
    slot: Pick<BootSlot, 'slot' | 'remote' | 'frame'>,
    phase: Phase,
    error: unknown,
    info?: { readonly componentStack?: string | null | undefined },
  ): void => {
    onFailure?.({ slot: slot.slot, phase, error, componentStack: info?.componentStack });
    const release = releaseOf(boot, slot);
    const message = messageOf(error).slice(0, 2000);
    bus.emit('slot.failed', { slot: slot.slot, phase, message, release }, 'shell');
  };

/** The mounted slots of one page. */
class SlotMounts {
  readonly #parts: MountParts;
  readonly #report: ReturnType<typeof createFailureReport>;
  readonly #siteEvents: readonly string[];
  readonly #earlyInput = createEarlyInputQueue();
  /** Number of mounts by slot: a slot in several outlets needs a distinct name in each. */
  readonly #instances = new Map<string, number>();
  /** Slots that the server rendered and that hydrate by themselves, as long as they are not interactive. */
  readonly #firstView: Set<BootSlot>;
  /** Slots that hydrate at once, as long as they are not interactive. */
  readonly #first: Set<BootSlot>;
  /** Resolves when there are none of those left. */
  readonly firstInteractive: Promise<void>;
  #onFirstInteractive = () => {};
  /** Of the slots that don't hydrate at once. */
  readonly #laterStore: SlotStore;

  constructor(parts: MountParts) {
    this.#parts = parts;
    this.#siteEvents = Object.keys(parts.site.events);
    this.#report = createFailureReport(parts);
    this.#laterStore = followAfterPaint(parts.store);
    this.#firstView = new Set(
      parts.boot.slots.filter(
        ({ hydrate, rendered }) =>
          hydrate === 'load' || hydrate === 'idle' || (hydrate === 'afterFirstView' && rendered !== 'none'),
      ),
    );
    this.#first = new Set(parts.boot.slots.filter(({ hydrate }) => hydrate === 'load'));
    this.firstInteractive = new Promise((resolve) => (this.#onFirstInteractive = resolve));
    if (this.#first.size === 0) this.#onFirstInteractive();
  }

  /** Mounts the slot at its hydration time, or as soon as one of its waking events is emitted. */
  schedule(slot: BootSlot, element: HTMLElement): void {
    let isAwake = false;
    const wake = () => {
      if (isAwake) return;
      isAwake = true;
      void this.#mount(slot, element, this.#createEnvironment(slot, missed));
    };
    const missed = collectWakingEvents(this.#parts.bus, slot.wakes, () => wake());
    if (slot.hydrate !== 'onEvent') atHydrationTime(slot.hydrate, element, wake, this.firstInteractive);
  }

  /** Loads module and styles, with retries; the element keeps its HTML until then. */
  #load(slot: BootSlot): Promise<SlotModule> {
    const { loadModule, loadStyle } = this.#parts;
    const report = (error: unknown) => this.#report(slot, loadingPhase(error), error);
    return persistently(
      async () => {
        // A slot without its styles is plain but usable.
        const styles = slot.styles.map((url) => loadStyle(url).catch(report));
        const [module] = await Promise.all([loadModule(slot), ...styles]);
        return module;
      },
      (error, failures) => {
        if (failures === 1 || error instanceof PermanentError) report(error);
      },
    );
  }

  #createEnvironment(slot: BootSlot, missed?: WakingEvents): SlotEnvironment {
    const { site, bus, budgets, interceptBack } = this.#parts;
    const instance = (this.#instances.get(slot.slot) ?? 0) + 1;
    this.#instances.set(slot.slot, instance);
    const name = instance === 1 ? slot.slot : `${slot.slot}-${instance}`;
    const budget = budgets.of(
      name,
      (exceeded) => void this.#reportExceeded({ ...slot, slot: name }, exceeded),
    );
    const { emit, listen } = permittedEvents(bus, slot, {
      sender: name,
      siteEvents: this.#siteEvents,
      missed,
    });
    const call = createCall(slot.slot, site.root);
    return {
      slot: name,
      emit(type, payload) {
        if (budget.allowsEvent(type)) emit(type, payload);
      },
      listen,
      call: (...parameters) =>
        budget.allowsCall()
          ? call(...parameters)
          : Promise.reject(new CallError('BUDGET_EXCEEDED', TOO_MANY_REQUESTS)),
      ...(interceptBack && { interceptBack }),
      attachOutlet: (outlet, element) => this.#attachOutlet(outlet, element),
    };
  }

  /** The explanation is code that pages of good slots never load. */
  async #reportExceeded(slot: BootSlot, exceeded: ExceededBudget): Promise<void> {
    const message = await import(/* webpackChunkName: "late" */ './explainBudget.ts').then(
      ({ explainBudget }) => explainBudget(slot.slot, exceeded),
      () => exceeded.budget,
    );
    this.#report(slot, 'budget', message);
  }

  #onReady(slot: BootSlot, element: HTMLElement, name: string): void {
    // Releases the reserved space: the content has its own size.
    element.removeAttribute('data-empty');
    restoreFocus(element, this.#parts.site.focusFallback);
    performance.mark(`slot:${name}:hydrated`);
    this.#firstView.delete(slot);
    if (this.#firstView.size === 0) this.#earlyInput.stop();
    if (this.#first.delete(slot) && this.#first.size === 0) this.#onFirstInteractive();
  }

  /** Loads nothing of the slot's remote into the page. */
  async #mountFrame(slot: FramedBootSlot, element: HTMLElement, environment: SlotEnvironment) {
    const { site, store, bus } = this.#parts;
    const report = (phase: Phase, error: unknown) =>
      this.#report({ ...slot, slot: environment.slot }, phase, error);
    const { mountFrame } = await persistently(site.loadFrames, (error, failures) => {
      if (failures === 1) report('load', error);
    });
    const onReady = () => this.#onReady(slot, element, environment.slot);
    return mountFrame({
      slot,
      element,
      environment,
      store,
      siteEvents: this.#siteEvents,
      refuse: bus.refuse,
      onReady,
      onError: report,
    });
  }

  async #mount(slot: BootSlot, element: HTMLElement, environment: SlotEnvironment) {
    if (isFramed(slot)) return this.#mountFrame(slot, element, environment);
    const { boot } = this.#parts;
    const module = await this.#load(slot);
    const isHydration = slot.rendered === 'release';
    const fallback = isHydration ? [] : [...element.cloneNode(true).childNodes];
    const replayEarlyInput = this.#earlyInput.take(element);
    const focused = element.contains(document.activeElement) && document.activeElement;
    if (focused && !isHydration) element.dataset['focus'] = selectorOf(focused);
    const mounted = mountSlot({
      module,
      element,
      store: slot.hydrate === 'load' ? this.#parts.store : this.#laterStore,
      environment,
      ...(isHydration && { server: { state: boot.state, data: slot.data } }),
      onReady: () => {
        this.#onReady(slot, element, environment.slot);
        replayEarlyInput();
      },
      onError: (phase, error, info) => {
        this.#report({ slot: environment.slot, remote: slot.remote }, phase, error, info);
        if (phase !== 'render' || fallback.length === 0) return;
        // Restores the shell's fallback, after React has finished its work.
        setTimeout(() => {
          mounted.unmount();
          element.replaceChildren(...fallback);
        });
      },
    });
    return mounted;
  }

  /** Fills an outlet in a slot's view with another remote's slot, if the snapshot has one. */
  #attachOutlet(name: string, element: HTMLElement): () => void {
    const slot = this.#parts.boot.slots.find(
      (candidate) => candidate.slot === name && candidate.hydrate === 'onEvent',
    );
    if (!slot) return () => {};
    let isAttached = true;
    let unmount = () => {};
    const stopWaiting = whenVisible(element, () => {
      void this.#mount({ ...slot, rendered: 'none' }, element, this.#createEnvironment(slot)).then(
        (mounted) => {
          if (isAttached) unmount = mounted.unmount;
          else mounted.unmount();
        },
      );
    });
    return () => {
      isAttached = false;
      stopWaiting();
      // Deferred: the slot around the outlet is being rendered.
      queueMicrotask(() => unmount());
    };
  }
}

/**
 * Mounts the page's slots over one store, each at its hydration time. Resolves when those that hydrate at once are
 * interactive.
 */
export function mountSlots(parts: MountParts): Promise<void> {
  const mounts = new SlotMounts(parts);
  for (const slot of parts.boot.slots) {
    const element = document.getElementById(slotElementId(slot.slot));
    if (element) mounts.schedule(slot, element);
  }
  return mounts.firstInteractive;
}
