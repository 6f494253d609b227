/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/slots/events';
import { LIBRARY_EVENTS, librarySite } from '../testing/librarySite.ts';
import type { LibraryState } from '../testing/libraryState.ts';
import { collectWakingEvents, followAfterPaint } from './mountTiming.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a store that is followed after paint', () => {
  it('shows changes after the frame of the store itself, several of them at once', () => {
    const store = librarySite.state.createStore();
    const countTo = (books: number) => store.dispatch({ type: 'shelf/counted', payload: books });
    const later = followAfterPaint(store);
    const before = later.getState();
    const seen: number[] = [];
    const unsubscribe = later.subscribe(() =>
      seen.push((later.getState() as unknown as LibraryState).shelf.books),
    );
    countTo(1);
    countTo(2);
    expect(later.getState()).toBe(before);
    jest.advanceTimersByTime(50);
    expect(later.getState()).toBe(store.getState());
    countTo(3);
    jest.advanceTimersByTime(50);
    unsubscribe();
    countTo(4);
    jest.advanceTimersByTime(50);
    expect(seen).toEqual([2, 3]);
  });
});

describe('events that wake a slot', () => {
  it('are delivered to every part that subscribes in the same commit, and not later', () => {
    const bus = createEventBus(LIBRARY_EVENTS, () => {});
    const wake = jest.fn();
    const missed = collectWakingEvents(bus, ['dialog.requested:details'], wake);
    bus.emit('dialog.requested', { name: 'details' } as never, 'shelf');
    expect(wake).toHaveBeenCalledTimes(1);
    const details = { name: 'details' };
    expect(missed.take('dialog.requested')).toEqual([details]);
    expect(missed.take('dialog.requested')).toEqual([details]);
    jest.runAllTimers();
    expect(missed.take('dialog.requested')).toEqual([]);
  });
});
