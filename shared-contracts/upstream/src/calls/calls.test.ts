import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { CallDefinition, CallFallback } from './callDefinition.ts';
import { CALLS } from './index.ts';

const calls = Object.entries<CallDefinition>(CALLS);
const times = ({ timeoutMs, resetMs }: CallDefinition) => ({ timeout: timeoutMs, reset: resetMs });

describe('the table of calls', () => {
  // rows: B7-LIST-13, B9-BREAKER-01
  it('gives the main listing call 20 s and its breaker 30 s', () => {
    expect(times(CALLS.search)).toEqual({ timeout: 20_000, reset: 30_000 });
  });

  // rows: B9-BREAKER-02, B7-SPOT-03
  it('gives optional calls 3 s and their breakers 30 s', () => {
    for (const call of [CALLS.premiumSpotlights, CALLS.spotlights, CALLS.vehicleHighlight, CALLS.zipLookup])
      expect(times(call)).toEqual({ timeout: 3_000, reset: 30_000 });
  });

  // rows: B9-BREAKER-06
  it('gives similar listings and counts of views 3 s and their breakers 300 s', () => {
    for (const call of [CALLS.similar, CALLS.listingViewCount])
      expect(times(call)).toEqual({ timeout: 3_000, reset: 300_000 });
  });

  // rows: A9-TIMEOUT-01, A9-TIMEOUT-02
  it('gives lookups by VIN 3 s and supplemental listings 5 s', () => {
    expect(CALLS.listingsByVin.timeoutMs).toBe(3_000);
    expect(CALLS.supplemental.timeoutMs).toBe(5_000);
  });

  // rows: A9-TIMEOUT-06
  it('gives crawl calls 3 s', () => {
    const crawls = calls.filter(([, { path }]) => path.startsWith('/rest/lsc/crawl/'));
    expect(crawls.map(([name, { timeoutMs }]) => [name, timeoutMs])).toEqual([
      ['modelYears', 3_000],
      ['newModelYears', 3_000],
      ['trims', 3_000],
      ['newTrims', 3_000],
      ['mileageStats', 3_000],
    ]);
  });

  // rows: A9-TIMEOUT-04, A9-TIMEOUT-05, A9-TIMEOUT-03, A9-TIMEOUT-07
  it('gives packages and model info 5 s, bookmarks 3 s, devices 1 s', () => {
    expect(CALLS.packages.timeoutMs).toBe(5_000);
    expect(CALLS.modelInfo.timeoutMs).toBe(5_000);
    const { bookmark, bookmarks, sharedBookmark, saveSearch, renameBookmark, openBookmark, deleteBookmark } =
      CALLS;
    for (const call of [
      bookmark,
      bookmarks,
      sharedBookmark,
      saveSearch,
      renameBookmark,
      openBookmark,
      deleteBookmark,
    ])
      expect(call.timeoutMs).toBe(3_000);
    expect(CALLS.registerDevice.timeoutMs).toBe(1_000);
  });

  // rows: A8-ERR-05
  it('names packages, bookmarks, model info, deals and devices in their error objects', () => {
    expect(CALLS.packages.fallback.tail).toBe('/searchoptions/packages');
    expect(CALLS.bookmark.fallback.tail).toBe('/searchbookmarks');
    expect(CALLS.modelInfo.fallback.tail).toBe('/modelinfo/ymm');
    expect(CALLS.saveDeal.fallback.tail).toBe('/deals');
    expect(CALLS.registerDevice.fallback.tail).toBe('/consumer-device/browser');
  });

  // rows: B9-BREAKER-03, B9-BREAKER-04, B9-BREAKER-05
  it('gives ratings 5 s with 300 s, expert reviews 3 s with 30 s, deals 5 s with 30 s', () => {
    expect(times(CALLS.consumerRatings)).toEqual({ timeout: 5_000, reset: 300_000 });
    expect(times(CALLS.expertReviews)).toEqual({ timeout: 3_000, reset: 30_000 });
    for (const call of [CALLS.saveDeal, CALLS.updateDeal])
      expect(times(call)).toEqual({ timeout: 5_000, reset: 30_000 });
  });

  // rows: A9-TIMEOUT-08
  it.each(calls)('resets the breaker of %s after 30 to 300 s', (_, { resetMs }) => {
    expect(resetMs).toBeGreaterThanOrEqual(30_000);
    expect(resetMs).toBeLessThanOrEqual(300_000);
  });

  it.each(calls)('accepts the fallback of %s with its own response schema', (_, call) => {
    const fallback: CallFallback = call.fallback;
    if (fallback.kind === 'empty')
      expect(call.response.safeParse(fallback.value)).toMatchObject({ success: true });
  });

  // rows: B7-OTHER-11
  it.each([
    ['paymentCalculation', '/payments/calculate'],
    ['vehicle', '/rest/lsc/listing/{id}'],
    ['pageEvent', '/cars-for-sale/svc/page-event'],
    ['browsingHistory', '/cars-for-sale/svc/browsing-history'],
    ['mileageStats', '/rest/lsc/crawl/stats/mileage'],
    ['safety', '/cars-for-sale/kbbresearch/safety/{vehicleId}'],
    ['greatPriceCount', '/rest/lsc/listing/count'],
    ['trims', '/rest/lsc/crawl/trims'],
    ['modelYears', '/rest/lsc/crawl/modelyears'],
    ['specs', '/cars-for-sale/kbbresearch/specs/{vehicleId}'],
  ])('has the call %s at %s', (name, path) => {
    expect(calls.map(([call, definition]) => [call, definition.path])).toContainEqual([name, path]);
  });

  it.each(calls)('names the service of %s in lower case and keeps it on this upstream', (_, call) => {
    expect(call.service).toMatch(/^[a-z-]+$/);
    expect(call.path).toMatch(
      /^\/(rest|cars-for-sale|account-api|content|expert-reviews|ads|payments|my-wallet)\//,
    );
  });

  it('never exposes a required call, or a write without a schema, to browsers', () => {
    // Its caller must tell a failure from an empty result.
    const handlesFailure = (name: string) => name === 'filterPreview';
    for (const [name, call] of calls.filter(([, { browser }]) => browser)) {
      if (!handlesFailure(name)) expect([name, call.fallback.kind]).not.toEqual([name, 'required']);
      expect(call.method !== 'POST' || call.body !== undefined).toBe(true);
    }
  });
});

// rows: A6-ROLE-06, B6-ROLE-06
it('restricts calls by visitor and account only', () => {
  const callers = Object.values<CallDefinition>(CALLS).map(({ caller }) => caller ?? 'anybody');
  expect([...new Set(callers)].sort()).toEqual(['account', 'anybody', 'visitor']);
});

describe('the schemas of responses', () => {
  it('can all be compiled, by which shells parse them in half the time', () => {
    for (const [name, { response }] of calls)
      expect([name, z.compile(response, { strict: true }) === response]).toEqual([name, false]);
  });
});
