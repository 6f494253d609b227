import { z } from 'zod';
import type { MailOutbox } from '../mail/outbox.ts';
import type { Db } from '../store/database.ts';
import type { Account, AccountStore } from './accountStore.ts';
import { knownAddressMail, resetMail, signUpMail, unknownAddressMail, type Place } from './accountMails.ts';
import type { Links } from './links.ts';
import { hashPassword, isPassword } from './passwords.ts';

export interface Accounts {
  readonly byId: (id: string) => Account | undefined;
  /** The account of an address and its password; undefined for both a wrong password and an unknown address. */
  readonly signIn: (email: string, password: string) => Promise<Account | undefined>;
  /**
   * Begins an account: it is made when the mailed link is used (`confirm`). An
   * address that has one already gets a mail which says so. Answers the account
   * only if the password is its own: somebody forgot that they had signed up.
   */
  readonly signUp: (
    form: { readonly email: string; readonly name: string; readonly password: string },
    place: Place,
  ) => Promise<Account | undefined>;
  /** A sign-up that waits for its link to be used; undefined when there is none any more. */
  readonly waiting: (secret: string) => WaitingSignUp | undefined;
  /** Makes the account of a link. Undefined when the link is none any more. */
  readonly confirm: (secret: string) => Account | undefined;
  /** Mails a link for a new password, or that the address has no account. */
  readonly requestReset: (email: string, place: Place) => Promise<void>;
  /** Where a link for a new password was asked for; undefined when it is none any more. */
  readonly resetting: (secret: string) => Place | undefined;
  /** Uses such a link; undefined when it is none any more. */
  readonly reset: (secret: string, password: string) => Promise<Account | undefined>;
  /** False when `current` is not the password. */
  readonly changePassword: (id: string, current: string, password: string) => Promise<boolean>;
}

const placeSchema = z.object({ issuer: z.string(), shop: z.string(), brand: z.string(), visit: z.string() });
const signUpSchema = z.object({
  email: z.string(),
  name: z.string(),
  passwordHash: z.string(),
  place: placeSchema,
});
export type WaitingSignUp = z.infer<typeof signUpSchema>;
const resetSchema = z.object({ accountId: z.string(), place: placeSchema });

const withoutHash = ({ id, email, name }: Account): Account => ({ id, email, name });

/**
 * Every way through costs exactly one derivation of a key and writes one link
 * or mail more or less, so that neither answer nor time tells anybody else who
 * has an account.
 */
export function createAccounts(deps: {
  readonly store: AccountStore;
  readonly links: Links;
  readonly outbox: Pick<MailOutbox, 'add'>;
  /** A link and its mail are written together or not at all. */
  readonly transaction: Db['transaction'];
}): Accounts {
  const { store, links, outbox, transaction } = deps;
  const atOnce = <T>(run: () => T): T => transaction(run).immediate();

  return {
    byId(id) {
      const account = store.byId(id);
      return account && withoutHash(account);
    },
    async signIn(email, password) {
      const account = store.byEmail(email);
      const isRight = await isPassword(password, account?.passwordHash);
      return account && isRight ? withoutHash(account) : undefined;
    },
    async signUp({ email, name, password }, place) {
      const known = store.byEmail(email);
      if (known && (await isPassword(password, known.passwordHash))) return withoutHash(known);
      if (known) {
        outbox.add(knownAddressMail(known.email, place));
        return undefined;
      }
      const passwordHash = await hashPassword(password);
      atOnce(() => {
        const secret = links.issue('sign-up', email, { email, name, passwordHash, place });
        outbox.add(signUpMail(email, place, secret));
      });
      return undefined;
    },
    waiting: (secret) => signUpSchema.safeParse(links.find('sign-up', secret)).data,
    confirm: (secret) =>
      atOnce(() => {
        const signUp = signUpSchema.safeParse(links.find('sign-up', secret)).data;
        return signUp && links.use('sign-up', secret) ? store.add(signUp) : undefined;
      }),
    async requestReset(email, place) {
      const account = store.byEmail(email);
      atOnce(() => {
        if (!account) return outbox.add(unknownAddressMail(email, place));
        const secret = links.issue('reset', account.email, { accountId: account.id, place });
        return outbox.add(resetMail(account.email, place, secret));
      });
    },
    resetting: (secret) => resetSchema.safeParse(links.find('reset', secret)).data?.place,
    async reset(secret, password) {
      const wanted = resetSchema.safeParse(links.find('reset', secret)).data;
      if (!wanted) return undefined;
      const passwordHash = await hashPassword(password);
      return atOnce(() => {
        if (!links.use('reset', secret)) return undefined;
        store.setPassword(wanted.accountId, passwordHash);
        return store.byId(wanted.accountId);
      });
    },
    async changePassword(id, current, password) {
      const account = store.byId(id);
      if (!(await isPassword(current, account?.passwordHash))) return false;
      store.setPassword(id, await hashPassword(password));
      return true;
    },
  };
}
