import type { Call } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { RichText } from '@forecourt/upstream/richText';

type CertifiedContent = CallResponses['certifiedContent'][number];
type CertifiedSponsor = NonNullable<CallResponses['certifiedSponsor']>;
type DealerDiff = NonNullable<CallResponses['dealerDiff']>;

export interface CertifiedProgram {
  readonly program: CertifiedContent;
  readonly sponsor: CertifiedSponsor;
}

/**
 * Loads the certified program of a product or a make and its sponsor.
 * Throws when there is no program or the sponsor content fails to load.
 */
export async function loadCertifiedProgram(
  query: { readonly productId?: string | undefined; readonly makeCode?: string | undefined },
  call: Call,
): Promise<CertifiedProgram> {
  const programs = await call('certifiedContent', {});
  const program =
    programs.find(({ productId }) => productId === query.productId) ??
    programs.find(({ makeCode }) => makeCode === query.makeCode);
  if (!program) throw new Error(`no certified program ${query.productId ?? query.makeCode ?? ''}`);
  const sponsor = await call('certifiedSponsor', { productId: program.productId });
  if (!sponsor) throw new Error(`no sponsor content for ${program.productId}`);
  return { program, sponsor };
}

/** A dealer's reasons to buy there. */
export interface DealerDifference extends DealerDiff {
  readonly htmlContent: RichText;
}

/** Loads a dealer's facts and text; undefined when either is missing. */
export async function loadDealerDifference(
  contentId: string,
  call: Call,
): Promise<DealerDifference | undefined> {
  try {
    const [facts, htmlContent] = await Promise.all([
      call('dealerDiff', { contentId }),
      call('dealerDiffHtml', { contentId }),
    ]);
    return facts && htmlContent?.length ? { ...facts, htmlContent } : undefined;
  } catch {
    // The gateway logged the error.
    return undefined;
  }
}
