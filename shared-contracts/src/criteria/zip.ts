/** Exactly five digits. */
export const isZip = (text: unknown): text is string =>
  typeof text === 'string' && text.length === ZIP_LENGTH && /^[0-9]+$/.test(text);

/**
 * Normalizes a ZIP from a URL, bookmark or cookie: its first five characters, or undefined unless they are a
 * ZIP (A4-FLOW-04, A4-FLOW-05, A5-RULE-01, AMB-005).
 */
export function normalizeZip(raw: string | null | undefined): string | undefined {
  const digits = raw?.trim().slice(0, ZIP_LENGTH);
  return isZip(digits) ? digits : undefined;
}

/** Error message of the ZIP fields in filter and location editor (B5-ZIP-01). */
export const INVALID_ZIP = 'Enter a valid ZIP Code';

/**
 * Validates the format of a typed ZIP: exactly five digits, never truncated. A valid one still needs a lookup
 * (B5-ZIP-01, B5-ZIP-02).
 */
export const typedZipError = (text: string): string | undefined => (isZip(text) ? undefined : INVALID_ZIP);

/** Digits of a ZIP code (B9-LEN-01). */
export const ZIP_LENGTH = 5;
