import { z } from 'zod';
import type { MailOutbox } from '../mail/outbox.ts';
import type { Account, AccountStore, Db, Links } from '../store/accountStore.ts';
import { type Place, knownAddressMail, resetMail, signUpMail, unknownAddressMail } from './accountMails.ts';
import { hashPassword, isPassword } from './credentials.ts';

export interface Accounts {
  readonly byId: (id: string) => Account | undefined;
  /** Undefined for a wrong password and for an unknown address. */
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
  readonly findSignUp: (secret: string) => PendingSignUp | undefined;
  /** Creates the account of a link; undefined when the link is no longer valid. */
  readonly confirm: (secret: string) => Account | undefined;
  /** Mails a reset link, or a note that the address has no account. */
  readonly requestReset: (email: string, place: Place) => Promise<void>;
  /** Where a reset was requested; undefined when the link is no longer valid. */
  readonly findReset: (secret: string) => Place | undefined;
  /** Sets the password; undefined when the link is no longer valid. */
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
  readonly transaction: Db['transaction'];
}): Accounts {
  const { store, links, outbox, transaction } = deps;
  const inTransaction = <T>(run: () => T): T => transaction(run).immediate();

  return {
    byId(id) {
      const account = store.byId(id);
      return account && withoutHash(account);
    },
    async signIn(email, password) {
      const account = store.byEmail(email);
      const isMatch = await isPassword(password, account?.passwordHash);
      return account && isMatch ? withoutHash(account) : undefined;
    },
    async signUp({ email, name, password }, place) {
      const existing = store.byEmail(email);
      if (existing && (await isPassword(password, existing.passwordHash))) return withoutHash(existing);
      if (existing) {
        outbox.add(knownAddressMail(existing.email, place));
        return undefined;
      }
      const passwordHash = await hashPassword(password);
      inTransaction(() => {
        const secret = links.issue('sign-up', email, { email, name, passwordHash, place });
        outbox.add(signUpMail(email, place, secret));
      });
      return undefined;
    },
    findSignUp: (secret) => signUpSchema.safeParse(links.find('sign-up', secret)).data,
    confirm: (secret) =>
      inTransaction(() => {
        const signUp = signUpSchema.safeParse(links.find('sign-up', secret)).data;
        return signUp && links.use('sign-up', secret) ? store.add(signUp) : undefined;
      }),
    async requestReset(email, place) {
      const account = store.byEmail(email);
      inTransaction(() => {
        if (!account) return outbox.add(unknownAddressMail(email, place));
        const secret = links.issue('reset', account.email, { accountId: account.id, place });
        return outbox.add(resetMail(account.email, place, secret));
      });
    },
    findReset: (secret) => resetSchema.safeParse(links.find('reset', secret)).data?.place,
    async reset(secret, password) {
      const request = resetSchema.safeParse(links.find('reset', secret)).data;
      if (!request) return undefined;
      const passwordHash = await hashPassword(password);
      return inTransaction(() => {
        if (!links.use('reset', secret)) return undefined;
        store.setPassword(request.accountId, passwordHash);
        return store.byId(request.accountId);
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
