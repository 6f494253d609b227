/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createStore, sessionChanged } from '@forecourt/shared-contracts/store';
import { createEventBus } from '@forecourt/shared-contracts/events';
import { collectWakingEvents, createAfterPaint, followAfterPaint } from './mountTiming.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('createAfterPaint', () => {
  it('runs tasks in order after a frame', () => {
    const done: string[] = [];
    const afterPaint = createAfterPaint();
    afterPaint.run(() => done.push('first'));
    afterPaint.run(() => done.push('second'));
    expect(done).toEqual([]);
    jest.advanceTimersByTime(50);
    expect(done).toEqual(['first', 'second']);
  });

  it('runs tasks once when flushed, and never when dropped', () => {
    const task = jest.fn();
    const afterPaint = createAfterPaint();
    afterPaint.run(task);
    afterPaint.flush();
    afterPaint.run(task);
    afterPaint.drop();
    jest.advanceTimersByTime(50);
    expect(task).toHaveBeenCalledTimes(1);
  });
});

describe('a store that is followed after paint', () => {
  it('shows changes after the frame of the store itself, several of them at once', () => {
    const store = createStore();
    const later = followAfterPaint(store);
    const before = later.getState();
    const seen: number[] = [];
    const unsubscribe = later.subscribe(() => seen.push(later.getState().session.savedSearchCount));
    store.dispatch(sessionChanged({ savedSearchCount: 1 }));
    store.dispatch(sessionChanged({ savedSearchCount: 2 }));
    expect(later.getState()).toBe(before);
    jest.advanceTimersByTime(50);
    expect(later.getState()).toBe(store.getState());
    store.dispatch(sessionChanged({ savedSearchCount: 3 }));
    jest.advanceTimersByTime(50);
    unsubscribe();
    store.dispatch(sessionChanged({ savedSearchCount: 4 }));
    jest.advanceTimersByTime(50);
    expect(seen).toEqual([2, 3]);
  });
});

describe('events that wake a slot', () => {
  it('are delivered to every part that subscribes in the same commit, and not later', () => {
    const bus = createEventBus(() => {});
    const wake = jest.fn();
    const missed = collectWakingEvents(bus, ['dialog.requested:wallet'], wake);
    bus.emit('dialog.requested', { name: 'wallet' }, 'filters');
    expect(wake).toHaveBeenCalledTimes(1);
    const wallet = expect.objectContaining({ name: 'wallet' });
    expect(missed.take('dialog.requested')).toEqual([wallet]);
    expect(missed.take('dialog.requested')).toEqual([wallet]);
    jest.runAllTimers();
    expect(missed.take('dialog.requested')).toEqual([]);
  });
});
