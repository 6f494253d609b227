/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/slots/events';
import { LIBRARY_EVENTS } from '../../testing/librarySite.ts';
import { FailureOverlay } from './failureOverlay.ts';

let log: jest.SpiedFunction<typeof console.error>;
let send: jest.SpiedFunction<typeof fetch>;
beforeEach(() => {
  // jsdom has none.
  Object.assign(globalThis, {
    CSSStyleSheet: class {
      replaceSync() {}
    },
  });
  log = jest.spyOn(console, 'error').mockImplementation(() => {});
  send = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }));
});
afterEach(() => {
  document.body.replaceChildren();
  jest.restoreAllMocks();
});
const shown = () => document.getElementById('fc-failures')?.shadowRoot ?? undefined;
const TEXT =
  'Slot shelf failed in the browser (hydrate): no book\n    at Card (shelf.js:2:3)\n    at Shelf (shelf.js:9:1)';

it('shows a slot that failed in the page, in its console and in the terminal, until it is closed', () => {
  const overlay = new FailureOverlay();
  const error = new Error('no book');
  error.stack = 'Error: no book\n    at Card (shelf.js:2:3)';
  overlay.show({ slot: 'shelf', phase: 'hydrate', error, componentStack: '\n    at Shelf (shelf.js:9:1)' });
  expect(shown()?.querySelector('[role=alert] pre')?.textContent).toBe(TEXT);
  expect(log.mock.calls[0]?.[0]).toBe(error);
  expect(log.mock.calls[0]?.slice(1).join('')).toContain('Slot shelf failed (hydrate)\n    at Shelf');
  expect(send).toHaveBeenCalledWith(
    '/overrides/failures',
    expect.objectContaining({ method: 'POST', body: TEXT }),
  );
  shown()?.querySelector('button')?.click();
  expect(shown()).toBeUndefined();
});

it('shows what a slot does later, which the console has already, and none twice', () => {
  const bus = createEventBus(LIBRARY_EVENTS, () => {});
  const overlay = new FailureOverlay();
  overlay.listen(bus);
  for (const phase of ['render', 'budget'] as const)
    bus.emit('slot.failed', { slot: 'shelf', phase, message: 'too much' }, 'shell');
  expect([...(shown()?.querySelectorAll('pre') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Slot shelf failed in the browser (budget): too much',
  ]);
  expect(log).not.toHaveBeenCalled();
});
