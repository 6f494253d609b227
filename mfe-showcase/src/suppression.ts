import { storedFlag } from '@forecourt/slots/storage';

/** s; lifetime of the cookie that keeps the showcase hidden. */
const ALPHA_HIDDEN_SECONDS = 1800;

/** Key in sessionStorage and name of the cookie. */
const NAME = 'alphaHidden';

/** Without storage, the showcase stays hidden on this page only. */
const hiddenFlag = storedFlag('session', NAME);

/** True if the shopper hid the showcase in this session or, by cookie, in the last half hour. Browser only. */
export function isSuppressed(): boolean {
  return document.cookie.split('; ').includes(`${NAME}=1`) || hiddenFlag.read();
}

/** Hides the showcase for the session; the timed variant also sets a cookie for the server. */
export function suppress({ timed }: { readonly timed: boolean }): void {
  hiddenFlag.write(true);
  if (timed) document.cookie = `${NAME}=1; Path=/; Max-Age=${ALPHA_HIDDEN_SECONDS}; SameSite=Lax`;
}
