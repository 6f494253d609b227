import type { EventBus } from '@forecourt/shared-contracts/events';
import type { SlotEnvironment, SlotModule } from '@forecourt/shared-contracts/slots';
import { mountSlot } from '@forecourt/shared-contracts/slots/browser';
import type { AppStore } from '@forecourt/shared-contracts/store';
import { slotElementId, type BootData, type BootSlot } from '../both/bootData.ts';
import { callGateway } from './call.ts';
import { createEarlyInputQueue } from './earlyInput.ts';
import { PermanentError, persistently } from './persistently.ts';
import { collectWakingEvents, type WakingEvents, atHydrationTime, whenVisible } from './mountTiming.ts';

export interface MountParts {
  readonly boot: BootData;
  readonly store: AppStore;
  readonly bus: EventBus;
  readonly loadModule: (slot: BootSlot) => Promise<SlotModule>;
  readonly loadStyle: (url: string) => Promise<void>;
  readonly holdBack?: SlotEnvironment['interceptBack'];
}

const messageOf = (error: unknown) => String(error instanceof Error ? error.message : error).slice(0, 2000);

/** Brings the page's slots to life, each at its own time and over the one store. */
export function mountSlots(parts: MountParts): void {
  const { boot, store, bus } = parts;
  const instances = new Map<string, number>();
  const earlyInput = createEarlyInputQueue();
  /** What is seen first and not interactive yet. */
  const firstView = new Set(boot.slots.filter(({ hydrate }) => hydrate === 'load' || hydrate === 'idle'));

  /** The release for telemetry; an extension may have replaced it with one that is not published. */
  const releaseOf = ({ remote }: Pick<BootSlot, 'remote'>): string | undefined => {
    const release = boot.extension ? undefined : boot.remotes.find(({ name }) => name === remote);
    return release && `${release.name}@${release.version}`;
  };

  const failed = (
    slot: Pick<BootSlot, 'slot' | 'remote'>,
    phase: 'load' | 'hydrate' | 'render',
    error: unknown,
  ) =>
    bus.emit(
      'slot.failed',
      { slot: slot.slot, phase, message: messageOf(error), release: releaseOf(slot) },
      'shell',
    );

  /** Slot module and styles; waits as long as it takes, while the element keeps what it shows. */
  const load = (slot: BootSlot): Promise<SlotModule> =>
    persistently(
      async () => {
        const [module] = await Promise.all([
          parts.loadModule(slot),
          // A slot without its styles is plain but usable.
          ...slot.styles.map((url) =>
            parts.loadStyle(url).catch((error: unknown) => failed(slot, 'load', error)),
          ),
        ]);
        return module;
      },
      (error, failures) => {
        if (failures === 1 || error instanceof PermanentError) failed(slot, 'load', error);
      },
    );

  const createEnvironment = (slot: string, missed?: WakingEvents): SlotEnvironment => {
    // A slot in several outlets needs ids of its own in each.
    const instance = (instances.get(slot) ?? 0) + 1;
    instances.set(slot, instance);
    const name = instance === 1 ? slot : `${slot}-${instance}`;
    return {
      slot: name,
      emit: (type, payload) => bus.emit(type, payload, name),
      listen(type, receive) {
        missed?.take(type).forEach(receive);
        const subscription = bus.on(type).subscribe(receive);
        return () => subscription.unsubscribe();
      },
      call: callGateway,
      ...(parts.holdBack && { interceptBack: parts.holdBack }),
      attachOutlet,
    };
  };

  const mount = async (slot: BootSlot, element: HTMLElement, environment: SlotEnvironment) => {
    const module = await load(slot);
    const isHydration = slot.rendered === 'release';
    const fallback = isHydration ? [] : [...element.cloneNode(true).childNodes];
    const carryOut = earlyInput.take(element);
    const mounted = mountSlot({
      module,
      element,
      store,
      environment,
      ...(isHydration && { server: { state: boot.state, data: slot.data } }),
      onReady() {
        // The space reserved for an empty slot; what stands there now has a size of its own.
        element.removeAttribute('data-empty');
        performance.mark(`slot:${environment.slot}:hydrated`);
        carryOut();
        firstView.delete(slot);
        if (firstView.size === 0) earlyInput.stop();
      },
      onError(phase, error) {
        failed({ slot: environment.slot, remote: slot.remote }, phase, error);
        if (phase !== 'render' || fallback.length === 0) return;
        // The shell's plain list is better than an empty place. Not now: React is still at work.
        setTimeout(() => {
          mounted.unmount();
          element.replaceChildren(...fallback);
        });
      },
    });
    return mounted;
  };

  /** Fills a place in a slot's view with another remote's slot, if a release in the snapshot offers it. */
  function attachOutlet(name: string, element: HTMLElement): () => void {
    const slot = boot.slots.find((candidate) => candidate.slot === name && candidate.hydrate === 'need');
    if (!slot) return () => {};
    let isAttached = true;
    let unmount = () => {};
    const stopWaiting = whenVisible(element, () => {
      void mount({ ...slot, rendered: 'none' }, element, createEnvironment(name)).then((mounted) => {
        if (isAttached) unmount = mounted.unmount;
        else mounted.unmount();
      });
    });
    return () => {
      isAttached = false;
      stopWaiting();
      // Not at once: the slot around the outlet is being rendered.
      queueMicrotask(unmount);
    };
  }

  for (const slot of boot.slots) {
    const element = document.getElementById(slotElementId(slot.slot));
    if (!element) continue;
    let isAwake = false;
    // What a shopper asks for does not wait for the slot's own time.
    const missed = collectWakingEvents(bus, slot.wakes, wake);
    function wake() {
      if (isAwake) return;
      isAwake = true;
      void mount(slot, element as HTMLElement, createEnvironment(slot.slot, missed));
    }
    if (slot.hydrate !== 'need') atHydrationTime(slot.hydrate, element, wake);
  }
}
