/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { BRANDS, FLAGS, type BrandCode } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';
import { buildListing, buildState, mountInTestShell } from '@forecourt/search/testing';
import { defineSlot } from '@forecourt/slots';
import type { CallParams } from '@forecourt/upstream/calls';
import { SCROLL_THROTTLE_MS } from '../constants.ts';
import { mockCreatives, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { FixedAd, isPastScroll, refreshLimit } from './FixedAd.tsx';

const loadedAd = (params: CallParams) => ({
  html: '',
  src: `/ads/creative?n=${params['n']}&size=${params['size']}`,
  width: Number(params['size']?.split('x')[0]),
  height: Number(params['size']?.split('x')[1]),
  advertiser: 'Lakeside Ford',
});
const onCover = jest.fn();
const slot = defineSlot({
  reads: ['search.pageData', 'session'],
  view: () => (
    <>
      <h2 id="results-heading" tabIndex={-1}>
        2 results
      </h2>
      <FixedAd onCover={onCover} />
    </>
  ),
});
const advance = (ms: number) => act(async () => void (await jest.advanceTimersByTimeAsync(ms)));

beforeEach(() => {
  prepareViewport();
  mockCreatives();
  onCover.mockClear();
  jest.useFakeTimers();
  Object.assign(window, { innerWidth: 1280, innerHeight: 800, scrollY: 0 });
  jest.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(2800);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Makes the page scrollable by 2,000 px. */
const scrollTo = async (scrollY: number) => {
  Object.assign(window, { scrollY });
  fireEvent.scroll(window);
  await advance(200);
};
/** Flushes the throttled scroll check, so that the ad's timers start here. */
const scrollAtOnce = async (scrollY: number) => {
  await advance(SCROLL_THROTTLE_MS);
  Object.assign(window, { scrollY });
  fireEvent.scroll(window);
  await advance(0);
};
const bar = () => document.querySelector<HTMLElement>('[data-ad=fixed-bottom]');
const resizeTo = async (innerWidth: number) => {
  Object.assign(window, { innerWidth });
  fireEvent(window, new Event('resize'));
  await advance(0);
};
const frameLoads = () => fireEvent.load(screen.getByTitle('Advertisement of Lakeside Ford'));
const mount = (ad: (params: CallParams) => unknown = loadedAd, brand: BrandCode = 'atc') => {
  const requestAd = jest.fn(ad);
  const shell = mountInTestShell(slot, { state: buildState({}, { brand }), calls: { ad: requestAd } });
  const problems = () =>
    shell.events.filter(({ type }) => type === 'problem.reported').map(({ payload }) => payload);
  const impressions = () =>
    shell.events.filter(({ type }) => type === 'page.tracked').map(({ payload }) => payload);
  return { ...shell, requestAd, problems, impressions };
};
const mountShown = async (brand?: BrandCode) => {
  const shell = mount(loadedAd, brand);
  await scrollTo(300);
  frameLoads();
  await advance(300);
  return shell;
};

describe('the fixed ad', () => {
  // rows: B4-FIXED-01, B2-BOTTOM-10, A2-UI-13, B9-FIXED-03
  it('shows the fixed ad when the page is scrolled past 10 percent and its frame has loaded', async () => {
    const { requestAd } = mount();
    await scrollTo(180);
    expect(requestAd).not.toHaveBeenCalled();
    await scrollTo(201);
    expect(requestAd.mock.calls[0]?.[0]).toMatchObject({ slot: 'fixed-bottom', size: '970x90', n: '0' });
    expect(bar()).toHaveAttribute('hidden');
    frameLoads();
    await advance(300);
    expect(bar()).not.toHaveAttribute('hidden');
    expect(onCover).toHaveBeenCalledWith(90);
  });

  // rows: B9-FIXED-01
  it('refreshes the fixed ad every 30 s', async () => {
    const { requestAd } = await mountShown();
    expect(requestAd).toHaveBeenCalledTimes(1);
    await advance(29_999);
    expect(requestAd).toHaveBeenCalledTimes(1);
    await advance(1);
    expect(requestAd).toHaveBeenCalledTimes(2);
    expect(requestAd.mock.calls[1]?.[0]).toMatchObject({ n: '1' });
  });

  // rows: B9-FIXED-02
  it.each([
    ['ten times on the marketplace brand', 'atc', {}, 10],
    ['ten times on the valuation brand', 'kbb', {}, 10],
    ["ten times on the manufacturer's brand", 'oem', {}, 10],
    ['as often as the configuration of its brand says', 'kbb', { fixedAdRefreshLimit: 3 }, 3],
    ['25 times where its brand has no limit', 'kbb', { fixedAdRefreshLimit: undefined }, 25],
    ['25 times where the limit is no positive integer', 'kbb', { fixedAdRefreshLimit: -1 }, 25],
  ] as const)('refreshes the fixed ad %s', async (_, brand, configured, times) => {
    jest.replaceProperty(BRANDS, brand, { ...BRANDS[brand], ...configured });
    const { requestAd } = await mountShown(brand);
    await advance(40 * 30_000);
    expect(requestAd).toHaveBeenCalledTimes(1 + times);
  });

  // rows: B9-FIXED-04, B9-FIXED-05, B9-FIXED-06
  it('gives the fixed ad the size of the screen class, also after changes and refreshes', async () => {
    const { requestAd } = await mountShown();
    const sizes = () => requestAd.mock.calls.map(([{ size, n }]) => `${size} ${n}`);
    await resizeTo(390);
    expect(onCover).toHaveBeenLastCalledWith(0);
    frameLoads();
    await advance(300);
    expect(screen.getByTitle(/Advertisement of/)).toHaveAttribute('width', '320');
    expect(bar()).not.toHaveAttribute('hidden');
    expect(bar()).toHaveStyle({ blockSize: '50px' });
    expect(onCover).toHaveBeenLastCalledWith(50);
    await advance(30_000);
    expect(sizes()).toEqual(['970x90 0', '320x50 0', '320x50 1']);
    await resizeTo(400);
    expect(requestAd).toHaveBeenCalledTimes(3);
    await resizeTo(844);
    expect(sizes().at(-1)).toBe('728x90 1');
  });

  // rows: B9-FIXED-02
  it('refreshes the fixed ad ten times in total, regardless of screen changes', async () => {
    const { requestAd } = await mountShown();
    await advance(6 * 30_000);
    await resizeTo(390);
    frameLoads();
    await advance(300);
    await advance(20 * 30_000);
    expect(requestAd.mock.calls.at(-1)?.[0]).toMatchObject({ size: '320x50', n: '10' });
    expect(requestAd).toHaveBeenCalledTimes(12);
    await resizeTo(1280);
    frameLoads();
    await advance(300);
    await advance(60_000);
    expect(requestAd).toHaveBeenCalledTimes(13);
  });

  // rows: B7-ADS-02
  it("reports a fixed ad's impression when shown, not while loading, and one per refresh", async () => {
    const { impressions } = mount();
    const impression = { kind: 'impression', name: 'ad', tile: 'fixed-bottom' };
    await scrollTo(300);
    expect(bar()).toHaveAttribute('hidden');
    frameLoads();
    expect(impressions()).toEqual([]);
    await advance(300);
    expect(impressions()).toEqual([impression]);
    await advance(30_000);
    expect(impressions()).toHaveLength(1);
    frameLoads();
    frameLoads();
    expect(impressions()).toEqual([impression, impression]);
  });

  // rows: B4-FIXED-02
  it('keeps a closed fixed ad closed when scrolling', async () => {
    await mountShown();
    fireEvent.click(screen.getByRole('button', { name: 'Close advertisement' }));
    expect(bar()).toBeNull();
    expect(onCover).toHaveBeenLastCalledWith(0);
    await scrollTo(100);
    await scrollTo(1_500);
    expect(bar()).toBeNull();
  });

  it('moves the focus to the results heading when the fixed ad is closed', async () => {
    await mountShown();
    const close = screen.getByRole('button', { name: 'Close advertisement' });
    const focus = jest.spyOn(HTMLElement.prototype, 'focus');
    close.focus();
    fireEvent.click(close);
    expect(screen.getByRole('heading', { name: '2 results' })).toHaveFocus();
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true });
  });

  // rows: B4-FIXED-03
  it('requests no refresh after the fixed ad was closed', async () => {
    const { requestAd } = await mountShown();
    fireEvent.click(screen.getByRole('button', { name: 'Close advertisement' }));
    await advance(60_000);
    expect(requestAd).toHaveBeenCalledTimes(1);
  });

  // rows: B8-ERR-12, B9-FIXED-08
  it('polls for the fixed ad every 300 ms and fails after exactly 10 s with one log line', async () => {
    const { problems } = mount(() => ({ empty: true }));
    await scrollAtOnce(300);
    await advance(9_999);
    expect(problems()).toEqual([]);
    await advance(1);
    expect(problems()).toEqual([{ code: 'FIXED_AD_FAILED', message: 'Fixed Ad Failed to load' }]);
    await advance(60_000);
    expect(problems()).toHaveLength(1);
    expect(bar()).toBeNull();
  });

  // rows: B9-FIXED-08
  it('shows the fixed ad at the first poll after it is ready', async () => {
    mount();
    await scrollAtOnce(300);
    await advance(600);
    frameLoads();
    await advance(299);
    expect(bar()).toHaveAttribute('hidden');
    await advance(1);
    expect(bar()).not.toHaveAttribute('hidden');
  });

  // rows: B9-FIXED-08
  it('polls for the fixed ad a last time after 10 s', async () => {
    const { problems } = mount();
    await scrollAtOnce(300);
    await advance(9_999);
    frameLoads();
    expect(bar()).toHaveAttribute('hidden');
    await advance(1);
    expect(bar()).not.toHaveAttribute('hidden');
    expect(problems()).toEqual([]);
  });

  // rows: B8-ERR-12, B7-ADS-03
  it.each([404, 502, 'nothing'] as const)(
    'hides the fixed ad and logs the failure when its creative responds with %s',
    async (response) => {
      mockCreatives(() => response);
      const { problems, requestAd } = mount();
      await scrollTo(300);
      await advance(15_000);
      expect(requestAd).toHaveBeenCalledTimes(1);
      expect(document.querySelector('iframe')).toBeNull();
      expect(bar()).toBeNull();
      expect(problems()).toEqual([{ code: 'FIXED_AD_FAILED', message: 'Fixed Ad Failed to load' }]);
    },
  );

  it('keeps the current fixed ad when a refreshed creative fails', async () => {
    const { problems } = await mountShown();
    mockCreatives(() => 502);
    await advance(30_000);
    expect(bar()).not.toHaveAttribute('hidden');
    expect(bar()?.querySelector('iframe')).toHaveAttribute('src', '/ads/creative?n=0&size=970x90');
    expect(problems()).toMatchObject([{ code: 'AD_NOT_LOADED' }]);
  });

  // rows: B9-FIXED-08
  it('keeps the fixed ad hidden and stops polling when its response arrives after 10 s', async () => {
    let resolveAd: (ad: unknown) => void = () => {};
    const { problems } = mount(() => new Promise((resolve) => (resolveAd = resolve)));
    await scrollAtOnce(300);
    await advance(10_000);
    expect(jest.getTimerCount()).toBe(0);
    resolveAd(loadedAd({ n: '0' }));
    await advance(1_000);
    expect(bar()).toBeNull();
    expect(problems()).toHaveLength(1);
  });

  // rows: B9-FIXED-08
  it('removes the fixed ad when its frame has not loaded after 10 s', async () => {
    const { problems } = mount();
    await scrollAtOnce(300);
    expect(bar()).toHaveAttribute('hidden');
    await advance(10_000);
    expect(bar()).toBeNull();
    expect(problems()).toHaveLength(1);
  });
});

describe('the fixed ad of the results page', () => {
  const flags = { ...FLAGS, wallet: false };
  const mountPage = async (session: Partial<SessionState> = {}) => {
    jest.useRealTimers();
    Object.assign(window, { scrollY: 300 });
    const requestAd = jest.fn(loadedAd);
    const viewed = { listingId: '1001', vin: 'VIN', viewedAt: 1, emailSent: false };
    const shell = mountResults(
      {},
      { flags, ...session },
      {
        ad: requestAd,
        browsingHistory: () => ({ vehicles: [viewed] }),
        listingsByVin: () => ({ listings: [buildListing({ vin: 'VIN', isReducedPrice: true })], owners: [] }),
      },
    );
    await shell.waitForLateParts();
    return requestAd.mock.calls.map(([{ slot: name }]) => name);
  };

  // rows: B2-BOTTOM-10, B9-STILL-04
  it('is below the still-interested alert', async () => {
    expect(await mountPage()).toEqual(['fixed-bottom']);
    const alert = screen.getByRole('complementary', { name: 'Still interested?' });
    expect(alert.style.translate).toBe('0 0px');
    frameLoads();
    await waitFor(() => expect(alert.style.translate).toBe('0 -90px'));
    expect(bar()).not.toHaveAttribute('hidden');
  });

  it.each([
    ['a crawler reads the page', { isBot: true }],
    ['ads are off', { flags: { ...flags, ads: false } }],
  ])('is not requested when %s', async (_, session) => {
    expect(await mountPage(session)).toEqual([]);
  });
});

describe('refreshLimit', () => {
  // rows: B9-FIXED-02
  it('returns the configured refresh limit, or 25 unless it is a positive integer', () => {
    expect(refreshLimit(10)).toBe(10);
    for (const invalidLimit of [undefined, null, 0, -1, 1.5, Number.NaN, '10', {}])
      expect(refreshLimit(invalidLimit)).toBe(25);
  });
});

describe('isPastScroll', () => {
  // rows: B4-FIXED-01, B9-FIXED-03
  it('detects a scroll past 10 percent, but not at exactly 10 percent', () => {
    const at = (scrollY: number) => isPastScroll({ scrollY, scrollHeight: 2_800, innerHeight: 800 });
    expect([180, 200, 201].map(at)).toEqual([false, false, true]);
  });

  it('detects no scroll on a page that does not scroll', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (scrollY, innerHeight) => {
        expect(isPastScroll({ scrollY, innerHeight, scrollHeight: innerHeight })).toBe(false);
      }),
    );
  });
});

describe('the check of the scroll position', () => {
  // rows: B9-FIXED-07
  it('checks the scroll position at most once within 100 ms, and once more for events in between', async () => {
    const readScrollHeight = jest
      .spyOn(document.documentElement, 'scrollHeight', 'get')
      .mockReturnValue(2_800);
    mount();
    await advance(1_000);
    readScrollHeight.mockClear();
    for (let times = 0; times < 20; times++) fireEvent.scroll(window);
    expect(readScrollHeight).toHaveBeenCalledTimes(1);
    await advance(99);
    fireEvent.scroll(window);
    expect(readScrollHeight).toHaveBeenCalledTimes(1);
    await advance(1);
    expect(readScrollHeight).toHaveBeenCalledTimes(2);
    await advance(1_000);
    expect(readScrollHeight).toHaveBeenCalledTimes(2);
  });
});
