import { stringifySetCookie } from 'cookie';

/** Accompanies the HttpOnly session of a signed-in visitor (AMB-107). */
export const SIGNED_IN_COOKIE = 'signedIn';
/** The channel of the campaign that brought the visitor (AMB-163). */
export const CAMPAIGN_COOKIE = 'campaign';
/** First-party id of the browser; scripts send it to register a device. */
export const PIXALL_COOKIE = 'pixallId';
/** The visitor has hidden the showcase for a while (AMB-130). */
export const ALPHA_HIDDEN_COOKIE = 'alphaHidden';

/** s; the session id cookie (A9-LIMIT-12, AMB-166). */
const SESSION_COOKIE_SECONDS = 1800;

/** ms; the campaign cookie (B9-CAMPAIGN-01, AMB-163). */
const CAMPAIGN_COOKIE_MS = 604_800_000;

/** s; one year. */
const PIXALL_SECONDS = 365 * 24 * 3600;

interface CookieOptions {
  /** Over TLS only. */
  readonly secure: boolean;
}

/**
 * Name of a cookie that only this host can have set, over TLS: not another host of the domain, nor a network in between.
 * Browsers refuse the prefix over plain HTTP, so development on localhost does without it. These cookies are SameSite=Lax,
 * because pages that are opened by a link on another site need them; writes are refused by their origin instead.
 */
export const hostCookie = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** Session id, HttpOnly (AMB-166). */
export const sessionCookieName = (isSecure: boolean): string => hostCookie('sid', isSecure);

/** A Set-Cookie header; `maxAge` is in s. */
export const setCookie = (
  name: string,
  value: string,
  options: CookieOptions & { readonly maxAge: number; readonly httpOnly?: boolean; readonly path?: string },
): string => stringifySetCookie({ name, value, sameSite: 'lax', path: '/', ...options });

/** Renewed with each response (A9-LIMIT-12, AMB-166). */
export const sessionCookie = (id: string, { secure }: CookieOptions): string =>
  setCookie(sessionCookieName(secure), id, { maxAge: SESSION_COOKIE_SECONDS, httpOnly: true, secure });

/** Readable by scripts: whether the visitor is signed in, without identity (A6-ROLE-01); 0 s removes it. */
export const signedInCookie = (seconds: number, { secure }: CookieOptions): string =>
  setCookie(SIGNED_IN_COOKIE, seconds > 0 ? 'true' : '', { maxAge: seconds, secure });

/** Set by a link with a campaign code (B9-CAMPAIGN-01). */
export const campaignCookie = (channel: string, { secure }: CookieOptions): string =>
  setCookie(CAMPAIGN_COOKIE, channel, { maxAge: CAMPAIGN_COOKIE_MS / 1000, httpOnly: true, secure });

export const pixallCookie = (id: string, { secure }: CookieOptions): string =>
  setCookie(PIXALL_COOKIE, id, { maxAge: PIXALL_SECONDS, secure });
