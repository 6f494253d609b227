import { renderEmail } from '@forecourt/service-kit/email';
import { createElement } from 'react';
import { z } from 'zod';
import { AccountEmail } from '../mail/emails/AccountEmail.ts';
import type { Mail, MailOutbox } from '../mail/outbox.ts';
import type { Sql } from '@forecourt/service-kit/sql';
import type { Account, AccountStore, Links } from '../store/accountStore.ts';
import { hashPassword, isPassword } from './credentials.ts';
import { type Brand, BRANDS } from '@forecourt/search/brands';

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

function mail(to: string, place: Place, content: Omit<Parameters<typeof AccountEmail>[0], 'siteName'>): Mail {
  const siteName = brandOf(place.brand).name;
  return {
    to,
    subject: `${content.heading} | ${siteName}`,
    ...renderEmail(createElement(AccountEmail, { siteName, ...content })),
  };
}
/** Sign-in page of the shop. */
export const signInUrl = ({ shop }: Pick<Place, 'shop'>): string => `${shop}/account/sign-in`;

/** Confirmation link. It is part of the interaction, so the browser that started it is signed in at once. */
export const confirmPath = (visit: string, secret: string): string =>
  `/interaction/${encodeURIComponent(visit)}/confirm/${secret}`;
export const resetPath = (secret: string): string => `/reset/${secret}`;

export const signUpMail = (to: string, place: Place, secret: string): Mail =>
  mail(to, place, {
    heading: 'Confirm your email address',
    request: 'We received a request to create an account with this email address.',
    action: { href: place.issuer + confirmPath(place.visit, secret), label: 'Confirm my address' },
    notes: [LINK_EXPIRY, IGNORE],
  });

export const knownAddressMail = (to: string, place: Place): Mail =>
  mail(to, place, {
    heading: 'You already have an account',
    request:
      'We received a request to create an account with this email address, but it already has one. Sign in or reset your password.',
    action: { href: signInUrl(place), label: 'Sign in' },
    notes: [IGNORE],
  });

export const resetMail = (to: string, place: Place, secret: string): Mail =>
  mail(to, place, {
    heading: 'Choose a new password',
    request: 'We received a request to reset your password.',
    action: { href: place.issuer + resetPath(secret), label: 'Choose a new password' },
    notes: [LINK_EXPIRY, IGNORE],
  });

export const unknownAddressMail = (to: string, place: Place): Mail =>
  mail(to, place, {
    heading: 'There is no account with this address',
    request:
      'We received a request to reset a password, but this email address has no account. You may have signed up with a different address, or you can create a free account.',
    action: { href: `${signInUrl(place)}?defaultScreen=signup`, label: 'Create an account' },
    notes: [IGNORE],
  });

/** Brand of an untrusted hint; unknown values give the default brand. */
export const brandOf = (hint: unknown): Brand =>
  typeof hint === 'string' && Object.hasOwn(BRANDS, hint) ? BRANDS[hint as keyof typeof BRANDS] : BRANDS.atc;

export interface Accounts {
  /** Undefined also for a disabled account, whose tokens and sessions the protocol refuses therefore. */
  readonly byId: (id: string) => Promise<Account | undefined>;
  /** Undefined for a wrong password, an unknown address and a disabled account. */
  readonly signIn: (email: string, password: string) => Promise<Account | undefined>;
  /**
   * Starts a sign-up; `confirm` creates the account. An address that already
   * has an account gets a mail that says so. Returns that account only if the
   * password matches: the visitor forgot that they had signed up.
   */
  readonly signUp: (
    form: { readonly email: string; readonly name: string; readonly password: string },
    place: Place,
  ) => Promise<Account | undefined>;
  /** The pending sign-up of a link; undefined when the link is no longer valid. */
  readonly findSignUp: (secret: string) => Promise<PendingSignUp | undefined>;
  /** Creates the account of a link; undefined when the link is no longer valid. */
  readonly confirm: (secret: string) => Promise<Account | undefined>;
  /** Mails a reset link, or a note that the address has no account. */
  readonly requestReset: (email: string, place: Place) => Promise<void>;
  /** Where a reset was requested; undefined when the link is no longer valid. */
  readonly findReset: (secret: string) => Promise<Place | undefined>;
  /** Sets the password; undefined when the link is no longer valid. */
  readonly reset: (secret: string, password: string) => Promise<Account | undefined>;
  /** False when `current` is not the password. */
  readonly changePassword: (id: string, current: string, password: string) => Promise<boolean>;
  /** Deletes the account; false when `current` is not its password. */
  readonly remove: (id: string, current: string) => Promise<boolean>;
}

const placeSchema = z.object({ issuer: z.string(), shop: z.string(), brand: z.string(), visit: z.string() });
const signUpSchema = z.object({
  email: z.string(),
  name: z.string(),
  passwordHash: z.string(),
  place: placeSchema,
});
type PendingSignUp = z.infer<typeof signUpSchema>;
const resetSchema = z.object({ accountId: z.string(), place: placeSchema });

const withoutHash = ({ id, email, name }: Account): Account => ({ id, email, name });

/**
 * Every path derives one key and writes about as much, so that neither the
 * response nor its timing reveals who has an account.
 */
export function createAccounts(deps: {
  readonly store: AccountStore;
  readonly links: Links;
  readonly outbox: Pick<MailOutbox, 'add'>;
  /** Writes a link and its mail atomically. */
  readonly transaction: Sql['transaction'];
}): Accounts {
  const { store, links, outbox, transaction } = deps;

  return {
    async byId(id) {
      const account = await store.byId(id);
      return account && !account.isDisabled ? withoutHash(account) : undefined;
    },
    async signIn(email, password) {
      const account = await store.byEmail(email);
      const isMatch = await isPassword(password, account?.passwordHash);
      return account && isMatch && !account.isDisabled ? withoutHash(account) : undefined;
    },
    async signUp({ email, name, password }, place) {
      const existing = await store.byEmail(email);
      const isOwner = existing && (await isPassword(password, existing.passwordHash));
      if (isOwner && !existing.isDisabled) return withoutHash(existing);
      if (existing) {
        await outbox.add(knownAddressMail(existing.email, place));
        return undefined;
      }
      const passwordHash = await hashPassword(password);
      await transaction(async () => {
        const secret = await links.issue('sign-up', email, { email, name, passwordHash, place });
        await outbox.add(signUpMail(email, place, secret));
      });
      return undefined;
    },
    findSignUp: async (secret) => signUpSchema.safeParse(await links.find('sign-up', secret)).data,
    confirm: (secret) =>
      transaction(async () => {
        const signUp = signUpSchema.safeParse(await links.find('sign-up', secret)).data;
        return signUp && (await links.use('sign-up', secret)) ? store.add(signUp) : undefined;
      }),
    async requestReset(email, place) {
      const account = await store.byEmail(email);
      await transaction(async () => {
        if (!account) return outbox.add(unknownAddressMail(email, place));
        const secret = await links.issue('reset', account.email, { accountId: account.id, place });
        return outbox.add(resetMail(account.email, place, secret));
      });
    },
    findReset: async (secret) => resetSchema.safeParse(await links.find('reset', secret)).data?.place,
    async reset(secret, password) {
      const request = resetSchema.safeParse(await links.find('reset', secret)).data;
      if (!request) return undefined;
      const passwordHash = await hashPassword(password);
      return transaction(async () => {
        if (!(await links.use('reset', secret))) return undefined;
        await store.setPassword(request.accountId, passwordHash);
        return store.byId(request.accountId);
      });
    },
    async changePassword(id, current, password) {
      const account = await store.byId(id);
      if (!(await isPassword(current, account?.passwordHash))) return false;
      await store.setPassword(id, await hashPassword(password));
      return true;
    },
    async remove(id, current) {
      const account = await store.byId(id);
      if (!(await isPassword(current, account?.passwordHash))) return false;
      await store.remove(id);
      return true;
    },
  };
}
