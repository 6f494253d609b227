import { MAX_SLOT_ELEMENTS } from '@forecourt/releases/slotBudgets';
import type { EventBus, EventPayload } from '@forecourt/slots/events';
import type { BootData, BootSlot } from '../universal/bootData.ts';
import { messageOf } from '../universal/messageOf.ts';
import { slotElementId } from '../universal/slotElements.ts';
import { releaseOf } from './releaseOf.ts';

const COUNT_EVERY_MS = 10_000;

/** Time for which the scripts of one slot may delay frames, within a minute. */
export const MAX_BUSY_MS = 5_000;
const MINUTE_MS = 60_000;

/** https://w3c.github.io/long-animation-frames/ */
interface LongAnimationFrame extends PerformanceEntry {
  readonly scripts?: readonly {
    readonly sourceURL: string;
    readonly invoker: string;
    readonly duration: number;
  }[];
}

/**
 * The slot to which a script belongs: the one that lists it, or the first of its release. A script's URL contains the name
 * and version of its release.
 */
export function slotOfScript({ remotes, slots }: BootData, url: string): BootSlot | undefined {
  const remote = remotes.find(({ name, version }) => url.includes(`/${name}/${version}/`));
  const own = slots.filter((slot) => remote && slot.remote === remote.name);
  return own.find(({ scripts }) => scripts.some((script) => url.endsWith(script))) ?? own[0];
}

/** Calls `onScript` for each script that delays a frame; it is named by where the browser entered it. Returns its end. */
export function observeScripts(
  onScript: (script: { url: string; invoker: string; ms: number; at: number }) => void,
): () => void {
  if (!PerformanceObserver.supportedEntryTypes.includes('long-animation-frame')) return () => {};
  const observer = new PerformanceObserver((list) => {
    for (const { scripts = [], startTime } of list.getEntries() as LongAnimationFrame[])
      for (const { sourceURL, invoker, duration } of scripts)
        onScript({ url: sourceURL, invoker, ms: duration, at: startTime });
  });
  observer.observe({ type: 'long-animation-frame', buffered: true });
  return () => observer.disconnect();
}

type Phase = EventPayload<'slot.failed'>['phase'];
type Report = (slot: BootSlot, phase: Phase, message: string) => void;

function watchScripts(boot: BootData, report: Report): void {
  const busy = new Map<BootSlot, { since: number; ms: number }>();
  observeScripts(({ url, invoker, ms, at }) => {
    const slot = slotOfScript(boot, url);
    if (!slot) return;
    const known = busy.get(slot);
    const window = known && at - known.since < MINUTE_MS ? known : { since: at, ms: 0 };
    window.ms += ms;
    busy.set(slot, window);
    if (window.ms > MAX_BUSY_MS)
      report(
        slot,
        'budget',
        `kept the main thread busy for more than ${MAX_BUSY_MS} ms within a minute, at last in ${invoker} of ${url}`,
      );
  });
}

function watchElements({ slots }: BootData, report: Report): void {
  setInterval(() => {
    if (document.visibilityState === 'hidden') return;
    for (const slot of slots) {
      const element = document.getElementById(slotElementId(slot.slot));
      if (element && element.getElementsByTagName('*').length > MAX_SLOT_ELEMENTS)
        report(slot, 'budget', `has more than ${MAX_SLOT_ELEMENTS} elements`);
    }
  }, COUNT_EVERY_MS);
}

const URLS = /https?:\/\/[^\s)]+?\.js/g;

/** Exceptions that no slot caught: React catches those of rendering and effects only. */
function watchErrors(boot: BootData, report: Report): void {
  const receive = (error: unknown, filename = '') => {
    const urls = [...(error instanceof Error ? (error.stack ?? '') : '').matchAll(URLS)].map(([url]) => url);
    const slot = [...urls, filename].map((url) => slotOfScript(boot, url)).find((found) => found);
    if (slot) report(slot, 'run', messageOf(error));
  };
  window.addEventListener('error', ({ error, filename }) => receive(error, filename));
  window.addEventListener('unhandledrejection', ({ reason }) => {
    // A call that was given up.
    if ((reason as { name?: unknown } | undefined)?.name !== 'AbortError') receive(reason);
  });
}

/** Reports slots that do too much, or whose code throws outside of React; each once per phase. */
export function watchSlots(boot: BootData, bus: EventBus): void {
  const reported = new Set<string>();
  const report: Report = (slot, phase, message) => {
    const key = `${slot.slot} ${phase}`;
    if (reported.has(key)) return;
    reported.add(key);
    // oxlint-disable-next-line no-console -- for the developer of the slot; browsers show exceptions themselves
    if (phase === 'budget') console.error(`Slot ${slot.slot} ${message}`);
    const failure = {
      slot: slot.slot,
      phase,
      message: message.slice(0, 2000),
      release: releaseOf(boot, slot),
    };
    bus.emit('slot.failed', failure, 'shell');
  };
  watchScripts(boot, report);
  watchElements(boot, report);
  watchErrors(boot, report);
}
