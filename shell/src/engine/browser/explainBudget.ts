import { SLOT_BUDGETS } from '@forecourt/releases/slotBudgets';
import type { ExceededBudget } from './slotBudgets.ts';

const LIMITS: Readonly<Record<ExceededBudget['budget'], string>> = {
  eventsPerSecond: `emitted more than ${SLOT_BUDGETS.eventsPerSecond} events within a second`,
  unpromptedEventsPerMinute: `emitted more than ${SLOT_BUDGETS.unpromptedEventsPerMinute} events within a minute without input of the visitor`,
  callsPerMinute: `made more than ${SLOT_BUDGETS.callsPerMinute} calls within a minute`,
};

/** An event that is repeated so often among the newest ones is part of a loop. */
const MIN_REPEATS = 8;

/** "results emits search.changeRequested, filters emits dialog.requested"; '' without a loop. */
function loopOf(recent: readonly string[]): string {
  const repeats = new Map<string, number>();
  for (const event of recent) repeats.set(event, (repeats.get(event) ?? 0) + 1);
  return [...repeats]
    .filter(([, count]) => count >= MIN_REPEATS)
    .map(([event]) => event.replace(' ', ' emits '))
    .join(', ');
}

/** Says in the console what a slot did too often, and returns it. */
export function explainBudget(slot: string, { budget, recent }: ExceededBudget): string {
  const loop = budget === 'callsPerMinute' ? '' : loopOf(recent);
  const message = `${LIMITS[budget]}${loop && `; a loop: ${loop}, again and again`}`;
  // oxlint-disable-next-line no-console -- for the developer of the slot
  console.error(`Slot ${slot} ${message}. Further ones are refused.`);
  return message;
}
