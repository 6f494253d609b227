import { loadLighthouse } from '../tools.ts';
import { inFreshBrowser } from './browser.ts';

export interface PaintResult {
  readonly lcpMs: number;
  readonly fcpMs: number;
  readonly blockingMs: number;
}

const AUDITS = {
  lcpMs: 'largest-contentful-paint',
  fcpMs: 'first-contentful-paint',
  blockingMs: 'total-blocking-time',
} as const;

/**
 * One load on a mid-range phone with a slow connection (Lighthouse's mobile profile, throttled while loading).
 * Lighthouse's faster simulation isn't usable: whether a script counts for the paint depends on the load order on this
 * machine, so the same page gets two different results.
 */
export async function measurePaint(url: string): Promise<PaintResult> {
  const lighthouse = await loadLighthouse();
  return inFreshBrowser(async (page) => {
    const run = await lighthouse(
      url,
      { onlyAudits: Object.values(AUDITS), logLevel: 'error', throttlingMethod: 'devtools' },
      undefined,
      page,
    );
    const valueOf = (audit: string) => {
      const value = run?.lhr.audits[audit]?.numericValue;
      if (value === undefined) throw new Error(`Lighthouse did not measure ${audit} of ${url}`);
      return value;
    };
    return {
      lcpMs: valueOf(AUDITS.lcpMs),
      fcpMs: valueOf(AUDITS.fcpMs),
      blockingMs: valueOf(AUDITS.blockingMs),
    };
  });
}
