import { setCookie, type CookieOptions } from '../../engine/http/cookies.ts';

/** Accompanies the HttpOnly session of a signed-in visitor (AMB-107). */
export const SIGNED_IN_COOKIE = 'signedIn';
/** The channel of the campaign that brought the visitor (AMB-163). */
export const CAMPAIGN_COOKIE = 'campaign';
/** First-party id of the browser; scripts send it to register a device. */
export const PIXALL_COOKIE = 'pixallId';
/** The visitor has hidden the showcase for a while (AMB-130). */
export const ALPHA_HIDDEN_COOKIE = 'alphaHidden';

/** ms; the campaign cookie. */
const CAMPAIGN_COOKIE_MS = 604_800_000;

/** s; one year. */
const PIXALL_SECONDS = 365 * 24 * 3600;

/** Readable by scripts: whether the visitor is signed in, without identity; 0 s removes it. */
export const signedInCookie = (seconds: number, { secure }: CookieOptions): string =>
  setCookie(SIGNED_IN_COOKIE, seconds > 0 ? 'true' : '', { maxAge: seconds, secure });

/** Set by a link with a campaign code. */
export const campaignCookie = (channel: string, { secure }: CookieOptions): string =>
  setCookie(CAMPAIGN_COOKIE, channel, { maxAge: CAMPAIGN_COOKIE_MS / 1000, httpOnly: true, secure });

export const pixallCookie = (id: string, { secure }: CookieOptions): string =>
  setCookie(PIXALL_COOKIE, id, { maxAge: PIXALL_SECONDS, secure });
