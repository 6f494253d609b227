import type { Mail } from '../mail/outbox.ts';
import { brandOf } from '../pages/layout.ts';

/** Where something was asked for: where its links lead to. */
export interface Place {
  /** Origin of this service. */
  readonly issuer: string;
  /** Origin of the shop. */
  readonly shop: string;
  /** The shop's brand, as a hint to what pages and mails look like. */
  readonly brand: string;
  /** Id of the visit in this service. */
  readonly visit: string;
}

const GOOD_FOR = 'The link is good for one hour, once.';
const IGNORE = 'If that was not you, ignore this mail: nothing changes.';
const mail = (to: string, subject: string, place: Place, ...paragraphs: string[]): Mail => ({
  to,
  subject: `${subject} | ${brandOf(place.brand).name}`,
  text: `${paragraphs.join('\n\n')}\n`,
});
/** Where the shop lets people sign in. */
export const signInUrl = ({ shop }: Pick<Place, 'shop'>): string => `${shop}/account/sign-in`;

/** Where the link of a sign-up leads: into its visit, so that the browser which began it is signed in at once. */
export const confirmPath = (visit: string, secret: string): string =>
  `/interaction/${encodeURIComponent(visit)}/confirm/${secret}`;
export const resetPath = (secret: string): string => `/reset/${secret}`;

export const signUpMail = (to: string, place: Place, secret: string): Mail =>
  mail(
    to,
    'Confirm your email address',
    place,
    'Somebody, most likely you, has asked for an account with this address. Confirm it here:',
    place.issuer + confirmPath(place.visit, secret),
    `${GOOD_FOR} ${IGNORE}`,
  );

export const knownAddressMail = (to: string, place: Place): Mail =>
  mail(
    to,
    'You have an account already',
    place,
    'Somebody, most likely you, has asked for a new account with this address, which has one. Sign in here, or ask there for a new password:',
    signInUrl(place),
    IGNORE,
  );

export const resetMail = (to: string, place: Place, secret: string): Mail =>
  mail(
    to,
    'Choose a new password',
    place,
    'Somebody, most likely you, has asked for a new password. Choose it here:',
    place.issuer + resetPath(secret),
    `${GOOD_FOR} ${IGNORE}`,
  );

export const unknownAddressMail = (to: string, place: Place): Mail =>
  mail(
    to,
    'There is no account with this address',
    place,
    'Somebody, most likely you, has asked for a new password, but this address has no account. Perhaps you have signed up with another one; a new account is free:',
    `${signInUrl(place)}?defaultScreen=signup`,
    IGNORE,
  );
