import type { Mail } from '../mail/outbox.ts';

import { BRANDS, type Brand } from '@forecourt/shared-contracts/brands';

/** Where a request came from; its links lead back there. */
export interface Place {
  /** Origin of this service. */
  readonly issuer: string;
  /** Origin of the shop. */
  readonly shop: string;
  /** Brand hint for the style of pages and mails. */
  readonly brand: string;
  /** Id of the OIDC interaction. */
  readonly visit: string;
}

const LINK_EXPIRY = 'The link works once and expires in one hour.';
const IGNORE = 'If this wasn’t you, you can ignore this email. Nothing will change.';
const mail = (to: string, subject: string, place: Place, ...paragraphs: string[]): Mail => ({
  to,
  subject: `${subject} | ${brandOf(place.brand).name}`,
  text: `${paragraphs.join('\n\n')}\n`,
});
/** Sign-in page of the shop. */
export const signInUrl = ({ shop }: Pick<Place, 'shop'>): string => `${shop}/account/sign-in`;

/** Confirmation link. It is part of the interaction, so the browser that started it is signed in at once. */
export const confirmPath = (visit: string, secret: string): string =>
  `/interaction/${encodeURIComponent(visit)}/confirm/${secret}`;
export const resetPath = (secret: string): string => `/reset/${secret}`;

export const signUpMail = (to: string, place: Place, secret: string): Mail =>
  mail(
    to,
    'Confirm your email address',
    place,
    'We received a request to create an account with this email address. Confirm it here:',
    place.issuer + confirmPath(place.visit, secret),
    `${LINK_EXPIRY} ${IGNORE}`,
  );

export const knownAddressMail = (to: string, place: Place): Mail =>
  mail(
    to,
    'You already have an account',
    place,
    'We received a request to create an account with this email address, but it already has one. Sign in or reset your password here:',
    signInUrl(place),
    IGNORE,
  );

export const resetMail = (to: string, place: Place, secret: string): Mail =>
  mail(
    to,
    'Choose a new password',
    place,
    'We received a request to reset your password. Choose a new one here:',
    place.issuer + resetPath(secret),
    `${LINK_EXPIRY} ${IGNORE}`,
  );

export const unknownAddressMail = (to: string, place: Place): Mail =>
  mail(
    to,
    'There is no account with this address',
    place,
    'We received a request to reset a password, but this email address has no account. You may have signed up with a different address, or you can create a free account here:',
    `${signInUrl(place)}?defaultScreen=signup`,
    IGNORE,
  );

/** Brand of an untrusted hint; unknown values give the default brand. */
export const brandOf = (hint: unknown): Brand =>
  typeof hint === 'string' && Object.hasOwn(BRANDS, hint) ? BRANDS[hint as keyof typeof BRANDS] : BRANDS.atc;
