import { stringifySetCookie } from 'cookie';

/** s; the session id cookie. */
const SESSION_COOKIE_SECONDS = 1800;

export interface CookieOptions {
  /** Over TLS only. */
  readonly secure: boolean;
}

/**
 * Name of a cookie that only this host can have set, over TLS: not another host of the domain, nor a network in between.
 * Browsers refuse the prefix over plain HTTP, so development on localhost does without it. These cookies are SameSite=Lax,
 * because pages that are opened by a link on another site need them; writes are refused by their origin instead.
 */
export const hostCookie = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

/** Name of the HttpOnly cookie with the session id. */
export const sessionCookieName = (isSecure: boolean): string => hostCookie('sid', isSecure);

/** A Set-Cookie header; `maxAge` is in s. */
export const setCookie = (
  name: string,
  value: string,
  options: CookieOptions & { readonly maxAge: number; readonly httpOnly?: boolean; readonly path?: string },
): string => stringifySetCookie({ name, value, sameSite: 'lax', path: '/', ...options });

/** Renewed with each response to a visitor. */
export const sessionCookie = (id: string, { secure }: CookieOptions): string =>
  setCookie(sessionCookieName(secure), id, { maxAge: SESSION_COOKIE_SECONDS, httpOnly: true, secure });
