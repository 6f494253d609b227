/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SLOT_BUDGETS } from '@forecourt/releases/slotBudgets';
import { createSlotBudgets, type ExceededBudget } from './slotBudgets.ts';

const { eventsPerSecond, unpromptedEventsPerMinute, callsPerMinute } = SLOT_BUDGETS;

function setUp() {
  const listen = jest.spyOn(window, 'addEventListener');
  const budgets = createSlotBudgets();
  const [, receive] = listen.mock.calls.find(([type]) => type === 'keydown') ?? [];
  const press = (isTrusted: boolean) => (receive as (event: object) => void)({ isTrusted });
  const exceeded: ExceededBudget[] = [];
  const slot = budgets.of('shelf', (budget) => exceeded.push(budget));
  const emit = (times: number) =>
    Array.from({ length: times }, () => slot.allowsEvent('book.requested')).filter(Boolean).length;
  return { budgets, slot, emit, press, exceeded: () => exceeded.map(({ budget }) => budget) };
}

describe('createSlotBudgets', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('refuses events beyond those that a slot may emit without input, and says so once', () => {
    jest.useFakeTimers();
    const { budgets, emit, exceeded } = setUp();
    expect(emit(2 * unpromptedEventsPerMinute)).toBe(unpromptedEventsPerMinute);
    expect(exceeded()).toEqual(['unpromptedEventsPerMinute']);
    expect(budgets.counts.get('shelf')).toEqual({ events: 2 * unpromptedEventsPerMinute, calls: 0 });
    jest.advanceTimersByTime(60_000);
    expect(emit(1)).toBe(1);
  });

  it('counts no impressions among the events without input, of which a tall screen has many at once', () => {
    const impressions = createSlotBudgets(['page.seen']).of('shelf', () => {});
    const allowed = Array.from({ length: 100 }, () => impressions.allowsEvent('page.seen'));
    expect(allowed.every(Boolean)).toBe(true);
  });

  it('allows more events after input of the visitor, and none after one that a script made', () => {
    jest.useFakeTimers();
    const { emit, press, exceeded } = setUp();
    emit(unpromptedEventsPerMinute);
    jest.advanceTimersByTime(1_000);
    press(true);
    expect(emit(unpromptedEventsPerMinute)).toBe(unpromptedEventsPerMinute);
    jest.advanceTimersByTime(1_000);
    press(false);
    expect(emit(1)).toBe(0);
    expect(exceeded()).toEqual(['unpromptedEventsPerMinute']);
  });

  it('refuses a flood of events even while the visitor is typing', () => {
    jest.useFakeTimers();
    const { emit, press, exceeded } = setUp();
    let allowed = 0;
    for (let key = 0; key < 10; key += 1) {
      jest.advanceTimersByTime(50);
      press(true);
      allowed += emit(unpromptedEventsPerMinute);
    }
    expect(allowed).toBe(eventsPerSecond);
    expect(exceeded()).toEqual(['eventsPerSecond']);
  });

  it('refuses calls beyond those of a minute, each slot by itself', () => {
    const { budgets, slot, exceeded } = setUp();
    const calls = Array.from({ length: callsPerMinute + 5 }, () => slot.allowsCall());
    expect(calls.filter(Boolean)).toHaveLength(callsPerMinute);
    expect(exceeded()).toEqual(['callsPerMinute']);
    expect(budgets.of('reviews', () => {}).allowsCall()).toBe(true);
  });
});
