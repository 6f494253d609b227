import { returnUrlWithin } from '../../engine/http/returnUrl.ts';

/** Default return URL. */
export const HOME = '/cars-for-sale/all-cars';

/** Returning there would be a loop. */
const SIGN_IN_FLOW = /^\/account\/(sign-in|sign-out|callback|signed-out)([/?#]|$)/i;

/**
 * Return URL after signing in or out: path, query and fragment of `raw` if it is a
 * page of exactly `origin` ('https://example.com'), otherwise the results
 * (AMB-054). Pages of the sign-in flow are refused, to avoid a loop.
 */
export function safeReturnUrl(raw: unknown, origin: string): string {
  const url = returnUrlWithin(raw, origin);
  return url === undefined || SIGN_IN_FLOW.test(url) ? HOME : url;
}
