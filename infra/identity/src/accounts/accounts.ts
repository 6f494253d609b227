import type { Account, AccountStore } from './accountStore.ts';
import { hashPassword, isPassword } from './passwords.ts';

export interface Accounts {
  readonly byId: AccountStore['byId'];
  /** The account of an address and its password; undefined for both a wrong password and an unknown address. */
  readonly signIn: (email: string, password: string) => Promise<Account | undefined>;
  /**
   * A new account. Where the address has one already and the password is its
   * own, that one: somebody forgot that they had signed up. Else undefined.
   */
  readonly signUp: (form: {
    readonly email: string;
    readonly name: string;
    readonly password: string;
  }) => Promise<Account | undefined>;
}

const withoutHash = ({ id, email, name }: Account): Account => ({ id, email, name });

/** Every way through costs exactly one derivation of a key, so that time tells nobody who has an account. */
export function createAccounts(store: AccountStore): Accounts {
  return {
    byId: store.byId,
    async signIn(email, password) {
      const account = store.byEmail(email);
      const isRight = await isPassword(password, account?.passwordHash);
      return account && isRight ? withoutHash(account) : undefined;
    },
    async signUp({ email, name, password }) {
      const known = store.byEmail(email);
      if (known) return (await isPassword(password, known.passwordHash)) ? withoutHash(known) : undefined;
      // Undefined when the same address was signed up in another tab meanwhile.
      return store.add({ email, name, passwordHash: await hashPassword(password) });
    },
  };
}
