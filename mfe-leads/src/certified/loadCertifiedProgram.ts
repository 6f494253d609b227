import type { Call } from '@forecourt/shared-contracts/slots';
import type { CertifiedContent, CertifiedSponsor } from '../callTypes.ts';

export interface CertifiedProgram {
  readonly program: CertifiedContent;
  readonly sponsor: CertifiedSponsor;
}

/**
 * The program of a product, or of a make (AMB-154), with its sponsor. Throws
 * when there is none, or when the sponsor's content cannot be had (B8-ERR-10).
 */
export async function loadCertifiedProgram(
  wanted: { readonly productId?: string | undefined; readonly makeCode?: string | undefined },
  call: Call,
): Promise<CertifiedProgram> {
  const programs = await call('certifiedContent', {});
  const program =
    programs.find(({ productId }) => productId === wanted.productId) ??
    programs.find(({ makeCode }) => makeCode === wanted.makeCode);
  if (!program) throw new Error(`no certified program ${wanted.productId ?? wanted.makeCode ?? ''}`);
  const sponsor = await call('certifiedSponsor', { productId: program.productId });
  if (!sponsor) throw new Error(`no sponsor content for ${program.productId}`);
  return { program, sponsor };
}
