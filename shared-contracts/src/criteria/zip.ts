/** Exactly five digits. */
export const isZip = (text: unknown): text is string =>
  typeof text === 'string' && text.length === ZIP_LENGTH && /^[0-9]+$/.test(text);

/**
 * A ZIP that nobody typed here (URL, bookmark, cookie): cut to its first five
 * characters, undefined when those are no ZIP (A4-FLOW-04, A4-FLOW-05,
 * A5-RULE-01, AMB-005).
 */
export function normalizeZip(raw: string | null | undefined): string | undefined {
  const cut = raw?.trim().slice(0, ZIP_LENGTH);
  return isZip(cut) ? cut : undefined;
}

/** The message of the filter and of the location editor (B5-ZIP-01). */
export const INVALID_ZIP = 'Enter a valid ZIP Code';

/**
 * The first check of a typed ZIP: exactly five digits, nothing is cut. What
 * passes still needs the look-up (B5-ZIP-01, B5-ZIP-02).
 */
export const typedZipError = (text: string): string | undefined => (isZip(text) ? undefined : INVALID_ZIP);

/** Digits of a ZIP code (B9-LEN-01). */
export const ZIP_LENGTH = 5;
