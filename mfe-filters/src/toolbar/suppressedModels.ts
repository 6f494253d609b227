import { SUPPRESSED_MODELS_DAYS } from '../constants.ts';

const COOKIE = 'suppressedModels';
const SECONDS_A_DAY = 86_400;

/** Model codes which the shopper no longer wants suggested, from the text of all cookies (AMB-088). */
export function suppressedModels(cookies: string): readonly string[] {
  const pair = cookies.split('; ').find((entry) => entry.startsWith(`${COOKIE}=`));
  if (pair === undefined) return [];
  try {
    return decodeURIComponent(pair.slice(COOKIE.length + 1))
      .split(',')
      .filter(Boolean);
  } catch {
    // Somebody else's value: nothing is suppressed.
    return [];
  }
}

/** The cookie that adds codes to the suppressed ones for 30 days (B4-SUGGEST-03, AMB-088). */
export function suppressionCookie(cookies: string, codes: readonly string[]): string {
  const all = [...new Set([...suppressedModels(cookies), ...codes])];
  const maxAge = SUPPRESSED_MODELS_DAYS * SECONDS_A_DAY;
  return `${COOKIE}=${encodeURIComponent(all.join(','))}; Path=/cars-for-sale; Max-Age=${maxAge}; SameSite=Lax`;
}
