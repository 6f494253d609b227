/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAX_SLOT_ELEMENTS } from '@forecourt/releases/slotBudgets';
import { type BusEvent, createEventBus } from '@forecourt/slots/events';
import type { BootData } from '../universal/bootData.ts';
import { librarySite } from '../testing/librarySite.ts';
import { MAX_BUSY_MS, watchSlots } from './watchSlots.ts';

const FILES = 'https://library.example/remotes/mfe-x/1.4.0';

let log: jest.SpiedFunction<typeof console.error>;
let deliver: (scripts: object[], startTime: number) => void;
beforeEach(() => {
  Object.assign(globalThis, {
    PerformanceObserver: class {
      static supportedEntryTypes: string[] = ['long-animation-frame'];
      constructor(receive: (list: object) => void) {
        deliver = (scripts, startTime) => receive({ getEntries: () => [{ scripts, startTime }] });
      }
      observe() {}
      disconnect() {}
    },
  });
  jest.useFakeTimers();
  log = jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function setUp(extension?: object) {
  document.body.innerHTML = '<div id="slot-shelf"></div><div id="slot-loans"></div>';
  const events: BusEvent[] = [];
  const bus = createEventBus(librarySite.events, () => {});
  bus.all.subscribe((event) => events.push(event));
  const boot = {
    remotes: [{ name: 'mfe-x', version: '1.4.0', entry: '/remotes/mfe-x/1.4.0/entry.js', integrity: {} }],
    slots: [
      { slot: 'shelf', remote: 'mfe-x', scripts: ['/remotes/mfe-x/1.4.0/shelf.js'] },
      { slot: 'loans', remote: 'mfe-x', scripts: ['/remotes/mfe-x/1.4.0/loans.js'] },
    ],
    extension,
  } as unknown as BootData;
  watchSlots(boot, bus);
  return { events, failures: () => events.map(({ payload }) => payload) };
}
const script = (file: string, duration: number) => ({
  sourceURL: `${FILES}/${file}`,
  invoker: 'TimerHandler:setTimeout',
  duration,
});

describe('watchSlots', () => {
  it('reports the slot whose script blocks the page, once, with its release and where it was entered', () => {
    const { failures } = setUp();
    deliver([script('loans.js', MAX_BUSY_MS), script('shelf.js', 100)], 0);
    expect(failures()).toEqual([]);
    deliver([script('loans.js', 1)], 59_000);
    deliver([script('loans.js', MAX_BUSY_MS)], 59_500);
    expect(failures()).toEqual([
      {
        slot: 'loans',
        phase: 'budget',
        release: 'mfe-x@1.4.0',
        message: `kept the main thread busy for more than ${MAX_BUSY_MS} ms within a minute, at last in TimerHandler:setTimeout of ${FILES}/loans.js`,
      },
    ]);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('reports none for scripts of the shell, or for pauses of which each minute has few', () => {
    const { failures } = setUp();
    deliver([{ ...script('', MAX_BUSY_MS + 1), sourceURL: 'https://library.example/shell.js' }], 0);
    for (let minute = 0; minute < 5; minute += 1)
      deliver([script('loans.js', MAX_BUSY_MS - 1)], minute * 60_000);
    expect(failures()).toEqual([]);
  });

  it('reports a slot that grows without end', () => {
    const { failures } = setUp();
    const list = document.getElementById('slot-shelf') as HTMLElement;
    jest.spyOn(list, 'getElementsByTagName').mockReturnValue({ length: MAX_SLOT_ELEMENTS + 1 } as never);
    jest.advanceTimersByTime(30_000);
    expect(failures()).toMatchObject([
      { slot: 'shelf', phase: 'budget', message: `has more than ${MAX_SLOT_ELEMENTS} elements` },
    ]);
  });

  it('reports what a slot throws in events and timers, by the file in the stack', () => {
    const { failures } = setUp();
    const error = new Error('no shelf');
    error.stack = `Error: no shelf\n    at click (${FILES}/loans.js:1:200)\n    at https://library.example/shell.js:1:1`;
    window.dispatchEvent(new ErrorEvent('error', { error, message: 'no shelf' }));
    const rejection = Object.assign(new Event('unhandledrejection'), {
      reason: Object.assign(new Error('late'), { stack: `Error: late\n    at ${FILES}/shelf.js:1:1` }),
    });
    window.dispatchEvent(rejection);
    expect(failures()).toEqual([
      { slot: 'loans', phase: 'run', release: 'mfe-x@1.4.0', message: 'no shelf' },
      { slot: 'shelf', phase: 'run', release: 'mfe-x@1.4.0', message: 'late' },
    ]);
  });

  it('reports no exception of other scripts, and no aborted call', () => {
    const { failures } = setUp();
    window.dispatchEvent(
      new ErrorEvent('error', { error: new Error('x'), filename: 'chrome-extension://y' }),
    );
    const reason = Object.assign(new Error('aborted'), { name: 'AbortError', stack: `at ${FILES}/shelf.js` });
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    expect(failures()).toEqual([]);
  });
});
