import { SLOT_BUDGETS } from '@forecourt/releases/slotBudgets';

const MINUTE_MS = 60_000;
/** The newest events of all slots, in which a loop is searched. */
const RECENT = 64;
/** Pointers that only move prompt nothing. */
const INPUTS = ['pointerdown', 'keydown', 'click', 'input', 'wheel', 'touchmove', 'scroll'];

export interface ExceededBudget {
  readonly budget: keyof typeof SLOT_BUDGETS;
  /** 'results search.changeRequested': slot and event type of the newest events, oldest first. */
  readonly recent: readonly string[];
}

/** The counters of one slot. Each `allows…` counts; false: beyond the budget. */
export interface SlotBudget {
  readonly allowsEvent: (type: string) => boolean;
  readonly allowsCall: () => boolean;
  /** Events and calls since the page began, with refused ones. */
  readonly counts: { events: number; calls: number };
}

export type SlotBudgets = ReturnType<typeof createSlotBudgets>;

/** Counts what the slots of a page do. `recordedEvents`: see `BrowserSite`. */
export function createSlotBudgets(recordedEvents: readonly string[] = []) {
  const recent: string[] = [];
  const counts = new Map<string, SlotBudget['counts']>();
  let inputAt = 0;
  for (const type of INPUTS)
    window.addEventListener(type, ({ isTrusted }) => isTrusted && (inputAt = performance.now()), {
      capture: true,
      passive: true,
    });
  const isPrompted = (since: number) => inputAt > since;

  return {
    /** By slot. */
    counts: counts as ReadonlyMap<string, Readonly<SlotBudget['counts']>>,
    /** `onExceeded` is called once per budget. */
    of(slot: string, onExceeded: (exceeded: ExceededBudget) => void): SlotBudget {
      const own = { events: 0, calls: 0 };
      counts.set(slot, own);
      /** Returns a function that counts one more, and says whether that is within the budget. */
      const within = (budget: ExceededBudget['budget'], ms: number, startsAgain?: typeof isPrompted) => {
        let count = 0;
        let since = -Infinity;
        let hasExceeded = false;
        return (): boolean => {
          const now = performance.now();
          if (now - since >= ms || startsAgain?.(since)) {
            count = 0;
            since = now;
          }
          count += 1;
          const isWithin = count <= SLOT_BUDGETS[budget];
          if (!isWithin && !hasExceeded) onExceeded({ budget, recent: [...recent] });
          hasExceeded ||= !isWithin;
          return isWithin;
        };
      };
      const allowsInSecond = within('eventsPerSecond', 1_000);
      const allowsUnprompted = within('unpromptedEventsPerMinute', MINUTE_MS, isPrompted);
      const allowsInMinute = within('callsPerMinute', MINUTE_MS);
      return {
        counts: own,
        allowsEvent(type) {
          own.events += 1;
          recent.push(`${slot} ${type}`);
          if (recent.length > RECENT) recent.shift();
          return allowsInSecond() && (recordedEvents.includes(type) || allowsUnprompted());
        },
        allowsCall() {
          own.calls += 1;
          return allowsInMinute();
        },
      };
    },
  };
}
