/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BootData } from '../universal/bootData.ts';
import { recordSlotUse } from './slotUse.ts';
import type { PageEvents } from './telemetry.ts';

const URL_OF_LOANS = 'https://library.example/remotes/mfe-x/1.4.0/loans.js';
const BOOT = {
  remotes: [{ name: 'mfe-x', version: '1.4.0' }],
  slots: [
    { slot: 'shelf', remote: 'mfe-x', scripts: [] },
    { slot: 'loans', remote: 'mfe-x', scripts: ['/remotes/mfe-x/1.4.0/loans.js'] },
    { slot: 'closed', remote: 'mfe-x', scripts: [] },
    { slot: 'hero', remote: null, scripts: [] },
  ],
} as unknown as BootData;

beforeEach(() => {
  Object.assign(globalThis, {
    PerformanceObserver: class {
      static supportedEntryTypes: string[] = ['long-animation-frame'];
      readonly #receive: (list: object) => void;
      constructor(receive: (list: object) => void) {
        this.#receive = receive;
      }
      observe() {
        const scripts = [{ sourceURL: URL_OF_LOANS, invoker: 'onclick', duration: 80.4 }];
        this.#receive({ getEntries: () => [{ scripts, startTime: 0 }] });
      }
      disconnect() {}
    },
  });
});

const show = (visibilityState: 'hidden' | 'visible') => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('recordSlotUse', () => {
  it('reports once, when the page is hidden, what the slots of releases have done that are in the page', () => {
    document.body.innerHTML =
      '<div id="slot-shelf"><b><i></i></b></div><div id="slot-loans"><p></p></div><div id="slot-closed"></div><div id="slot-hero"><p></p></div>';
    const record = jest.fn<PageEvents['record']>();
    recordSlotUse(BOOT, new Map([['shelf', { events: 4, calls: 2 }]]), { record });
    show('visible');
    expect(record).not.toHaveBeenCalled();
    show('hidden');
    show('hidden');
    const common = { type: 'slot.used', release: 'mfe-x@1.4.0' };
    const seconds = expect.any(Number) as unknown;
    expect(record.mock.calls).toEqual([
      [{ ...common, name: 'shelf', use: { events: 4, calls: 2, elements: 2, busyMs: 0, seconds } }],
      [{ ...common, name: 'loans', use: { events: 0, calls: 0, elements: 1, busyMs: 80, seconds } }],
    ]);
  });

  it('reports nothing of a page with an extension, which may have replaced releases', () => {
    document.body.innerHTML = '<div id="slot-shelf"><b></b></div>';
    const record = jest.fn<PageEvents['record']>();
    recordSlotUse({ ...BOOT, extension: {} } as BootData, new Map(), { record });
    show('hidden');
    expect(record).not.toHaveBeenCalled();
  });
});
