/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import type { FilterValues } from '@forecourt/search/criteria';
import { canPrompt, NOTIFICATION_WINDOW_MS } from './browserPush.ts';

const NOW = 1_800_000_000_000;

const DAY = 86_400_000;

const TRUCKS: FilterValues = { vehicleStyleCode: ['TRUCKS'] };

const criteria = (filters: FilterValues) => ({
  filters,
  sortBy: 'relevance' as const,
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
});

describe('conditions of the notification prompt', () => {
  const may = (change: Partial<Parameters<typeof canPrompt>[0]> = {}) =>
    canPrompt({
      wasPrompted: false,
      recentInventory: [{ listingId: '1', viewedAt: NOW }],
      criteria: criteria(TRUCKS),
      now: NOW,
      ...change,
    });

  // rows: A4-NOTIF-02, A9-LIMIT-08
  it('prompts only when a vehicle was viewed within the last 24 hours, to the millisecond', () => {
    expect(NOTIFICATION_WINDOW_MS).toBe(86_400_000);
    expect(may({ now: NOW + DAY })).toBe(true);
    expect(may({ now: NOW + DAY + 1 })).toBe(false);
    expect(may({ recentInventory: [] })).toBe(false);
    const recentInventory = [
      { listingId: '1', viewedAt: NOW - DAY - 1 },
      { listingId: '2', viewedAt: NOW },
    ];
    expect(may({ recentInventory })).toBe(true);
  });

  // rows: A4-NOTIF-03
  it('prompts only for a search with a model or a body style', () => {
    expect(may({ criteria: criteria({}) })).toBe(false);
    expect(may({ criteria: criteria({ makeCode: ['FORD'] }) })).toBe(false);
    expect(may({ criteria: criteria({ modelCode: ['F150'] }) })).toBe(true);
    expect(may({ criteria: criteria({ vehicleStyleCode: ['SEDAN'] }) })).toBe(true);
  });

  // rows: A4-NOTIF-01
  it('prompts only once', () => expect(may({ wasPrompted: true })).toBe(false));
});
