import { storedFlag } from '@forecourt/shared-contracts/store';
import { ALPHA_HIDDEN_SECONDS } from './constants.ts';

/** Key in sessionStorage and name of the cookie (AMB-130). */
const NAME = 'alphaHidden';
/** Where storage is blocked the showcase stays hidden on this page only. */
const hidden = storedFlag('session', NAME);

/** Has the shopper hidden the showcase in this session, or in the last half hour? Browser only. */
export function isSuppressed(): boolean {
  return document.cookie.split('; ').includes(`${NAME}=1`) || hidden.read();
}

/**
 * Remembers that the shopper hid the showcase: for the session, and in the
 * timed variant also by a cookie, which the server sees (B4-ALPHA-06,
 * B4-ALPHA-07, B9-ALPHA-03).
 */
export function suppress({ timed }: { readonly timed: boolean }): void {
  hidden.write(true);
  if (timed) document.cookie = `${NAME}=1; Path=/; Max-Age=${ALPHA_HIDDEN_SECONDS}; SameSite=Lax`;
}
