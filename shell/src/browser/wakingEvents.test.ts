import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/shared-contracts/events';
import { collectWakingEvents } from './mountTiming.ts';

describe('events that wake a slot', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

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
