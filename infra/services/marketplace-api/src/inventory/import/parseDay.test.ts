import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isListingDay, parseDay } from './parseDay.ts';

const TODAY = 20_778; // 2026-11-21

describe('dates', () => {
  it('are read from ISO 8601 and American dates, and impossible ones are not', () => {
    expect(parseDay('1970-01-02')).toBe(1);
    expect(parseDay('1/2/1970')).toBe(1);
    expect(parseDay('2026-02-30')).toBeUndefined();
  });

  it.each([
    '2026-11-21',
    '2026-11-21T08:30:00Z',
    '2026-11-21 08:30:00',
    '2026/11/21',
    '20261121',
    '20261121T083000',
    '11/21/2026',
    '11/21/26',
    '11-21-2026',
    '11/21/2026 8:30:00 AM',
    '21.11.2026',
    'Nov 21, 2026',
    'November 21 2026',
    'Sat, 21 Nov 2026 08:30:00 GMT',
    '21-Nov-2026',
    '21-Nov-26',
    '1795219200',
    '1795219200000',
    '46347',
    '46347.354',
  ])('are read from %j', (text) => {
    expect(parseDay(text)).toBe(TODAY);
  });

  it.each(['yesterday', '13/40/2026', '0', '2026', 'N/A', '12345', '-'])('do not include %j', (text) => {
    const day = parseDay(text);
    expect(day === undefined || !isListingDay(day, TODAY)).toBe(true);
  });

  it('of a listing are neither in the future nor at the epoch of a database', () => {
    for (const text of ['0001-01-01', '1899-12-30', '1900-01-01', '1970-01-01', '2027-03-01', '9999-12-31'])
      expect([text, isListingDay(parseDay(text) ?? 0, TODAY)]).toEqual([text, false]);
    expect(isListingDay(TODAY - 400, TODAY)).toBe(true);
  });

  it('are days of the calendar, or none, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d/:. T-]{0,20}$/)), (text) => {
        const day = parseDay(text);
        expect(day === undefined || Number.isSafeInteger(day)).toBe(true);
      }),
    );
  });
});
