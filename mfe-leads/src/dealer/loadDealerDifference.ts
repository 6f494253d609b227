import type { Call } from '@forecourt/shared-contracts/slots';
import type { DealerDiff } from '../callTypes.ts';

/** Why to buy from one dealer (B3-OWNER-02). */
export interface DealerDifference extends DealerDiff {
  /** Sanitised HTML. */
  readonly htmlContent: string;
}

/** JSON and HTML of a dealer's content; undefined, without a word to the shopper, when either is missing (B7-DIFF-01, B7-DIFF-02). */
export async function loadDealerDifference(
  contentId: string,
  call: Call,
): Promise<DealerDifference | undefined> {
  try {
    const [facts, htmlContent] = await Promise.all([
      call('dealerDiff', { contentId }),
      call('dealerDiffHtml', { contentId }),
    ]);
    return facts && htmlContent ? { ...facts, htmlContent } : undefined;
  } catch {
    // The gateway has logged it.
    return undefined;
  }
}
