import lighthouse from 'lighthouse';
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
 * One load as a mid-range phone on a slow connection has it (Lighthouse's mobile
 * profile, applied while the page loads). Lighthouse's simulation, which needs
 * less time, is no use here: it counts a script as part of the paint or not by
 * what came first on this machine, so that the same page has two results.
 */
export function measurePaint(url: string): Promise<PaintResult> {
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
