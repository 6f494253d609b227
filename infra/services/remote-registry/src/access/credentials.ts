import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Action, allows, ACTIONS } from '@forecourt/release-kit/actions';
import {
  type Caller,
  type Credential,
  credentialSchema,
  describeScopes,
  type Scope,
} from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { type AccessRecord, type AccessStore, SerialQueue, type StoredCredential } from '../ports.ts';
import { EXCHANGED_MINUTES, type VerifiedRun } from './trustedPublishers.ts';

/** Retries of a change when another registry was faster. */
const ATTEMPTS = 10;

/** Changes of the access record, one after another, each by compare-and-set. */
export class AccessChanges {
  readonly #store: AccessStore;
  readonly #changing = new SerialQueue();

  constructor(store: AccessStore) {
    this.#store = store;
  }

  change<T>(
    change: (record: AccessRecord) => Partial<Omit<AccessRecord, 'revision'>> & { result: T },
  ): Promise<T> {
    return this.#changing.run(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const record = await this.#store.readAccess();
        const { result, ...changed } = change(record);
        try {
          const next = { ...record, ...changed, revision: record.revision + 1 };
          await this.#store.writeAccess(next, record.revision);
          return result;
        } catch (error) {
          const isRace = error instanceof RegistryError && error.code === 'REVISION_CHANGED';
          if (!isRace || attempt >= ATTEMPTS) throw error;
        }
      }
    });
  }
}

/** Recognizable to scanners that look for leaked secrets. */
const TOKEN_PREFIX = 'frc_';
const TOKEN_BYTES = 32;

export interface NewCredential {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresAt?: string | undefined;
}

export interface IssuedCredential {
  readonly credential: Credential;
  /** Shown once; the registry stores its hash only. */
  readonly token: string;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function newToken(): { token: string; tokenHash: string } {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: digest(token).toString('hex') };
}

/** Compares digests of one length in constant time, with every credential. */
function findByToken(credentials: readonly StoredCredential[], token: string): StoredCredential | undefined {
  const presented = digest(token);
  let match: StoredCredential | undefined;
  for (const credential of credentials)
    if (timingSafeEqual(Buffer.from(credential.tokenHash, 'hex'), presented)) match = credential;
  return match;
}

/** Credentials of CI runs are removed once they have expired. */
const isExchanged = ({ name }: StoredCredential): boolean => name.startsWith('ci:');

const withoutHash = (stored: StoredCredential): Credential => credentialSchema.parse(stored);

/**
 * @param reason why the action is needed, if the request doesn't say so
 * @throws RegistryError FORBIDDEN, which says what the credential does allow
 */
export function mustAllow(caller: Caller, action: Action, remote: string, reason?: string): void {
  if (allows(caller, action, remote)) return;
  throw new RegistryError(
    'FORBIDDEN',
    `${reason === undefined ? '' : `${reason} needs ${action} ${remote}: `}credential ${caller.name} does not allow ${action} ${remote}; it allows ${describeScopes(caller.scopes)}`,
  );
}

const mayAdminister = (caller: Caller, { scopes }: { scopes: readonly Scope[] }): boolean =>
  scopes.every(({ remote }) => allows(caller, 'administer', remote));

/** Callers can grant and revoke only what they administer. */
function mustAdminister(caller: Caller, { scopes }: { scopes: readonly Scope[] }): void {
  for (const { remote } of scopes) mustAllow(caller, 'administer', remote);
}

/** The stored credentials. Tokens are stored hashed; every request reads the record, so a revocation acts at once. */
export class Credentials {
  readonly #store: AccessStore;
  readonly #changes: AccessChanges;
  readonly #now: () => Date;

  constructor(store: AccessStore, now: () => Date = () => new Date()) {
    this.#store = store;
    this.#changes = new AccessChanges(store);
    this.#now = now;
  }

  /** @throws RegistryError UNAUTHORIZED with the reason */
  async authenticate(token: string): Promise<Caller> {
    const credential = findByToken((await this.#store.readAccess()).credentials, token);
    if (!credential)
      throw new RegistryError('UNAUTHORIZED', 'this token is unknown; it may have been revoked or rotated');
    if (this.#hasExpired(credential))
      throw new RegistryError(
        'UNAUTHORIZED',
        `credential ${credential.name} expired at ${credential.expiresAt}`,
      );
    return { name: credential.name, scopes: credential.scopes };
  }

  /** Those that the caller administers, expired ones included. @throws RegistryError FORBIDDEN */
  async list(caller: Caller): Promise<Credential[]> {
    if (!caller.scopes.some(({ actions }) => actions.includes('administer')))
      mustAllow(caller, 'administer', '*');
    const { credentials } = await this.#store.readAccess();
    return credentials.filter((credential) => mayAdminister(caller, credential)).map(withoutHash);
  }

  /** @throws RegistryError CREDENTIAL_EXISTS, FORBIDDEN */
  create(caller: Caller, request: NewCredential): Promise<IssuedCredential> {
    mustAdminister(caller, request);
    return this.#issue((credentials) => {
      if (credentials.some(({ name }) => name === request.name))
        throw new RegistryError(
          'CREDENTIAL_EXISTS',
          `credential ${request.name} exists; rotate or revoke it`,
        );
      return this.#stored(caller, request);
    });
  }

  /**
   * Replaces the token; the old one stops working at once. A credential that expires gets its lifetime again.
   * @throws RegistryError UNKNOWN_CREDENTIAL, FORBIDDEN
   */
  rotate(caller: Caller, name: string): Promise<IssuedCredential> {
    return this.#issue((credentials) => {
      const credential = this.#find(caller, credentials, name);
      if (isExchanged(credential))
        throw new RegistryError('BAD_REQUEST', 'a CI run exchanges a new token instead of rotating');
      const { scopes, createdAt, expiresAt } = credential;
      const lifetime = expiresAt === undefined ? undefined : Date.parse(expiresAt) - Date.parse(createdAt);
      return this.#stored(caller, {
        name,
        scopes,
        expiresAt:
          lifetime === undefined ? undefined : new Date(this.#now().getTime() + lifetime).toISOString(),
      });
    });
  }

  /** Creates the credential, or replaces token and scopes of the one with that name. */
  replace(caller: Caller, request: NewCredential): Promise<IssuedCredential> {
    mustAdminister(caller, request);
    return this.#issue(() => this.#stored(caller, request));
  }

  /**
   * Adds a short-lived credential for a verified CI run. Runs of one subject share a name, so that one call revokes
   * them all.
   * @throws RegistryError UNAUTHORIZED when the run's token was exchanged before
   */
  async exchange(run: VerifiedRun): Promise<IssuedCredential> {
    const { token, tokenHash } = newToken();
    return this.#changes.change(({ credentials, exchanged }) => {
      const now = this.#now();
      const remembered = exchanged.filter(({ until }) => Date.parse(until) > now.getTime());
      if (remembered.some(({ tokenId }) => tokenId === run.tokenId))
        throw new RegistryError('UNAUTHORIZED', 'the CI token is refused: it was exchanged before');
      const issued: StoredCredential = {
        name: run.name,
        scopes: run.scopes,
        createdAt: now.toISOString(),
        createdBy: run.issuer,
        expiresAt: new Date(now.getTime() + EXCHANGED_MINUTES * 60_000).toISOString(),
        tokenHash,
      };
      const others = credentials.filter((one) => !(isExchanged(one) && this.#hasExpired(one)));
      return {
        credentials: [...others, issued],
        exchanged: [...remembered, { tokenId: run.tokenId, until: run.tokenEndsAt }],
        result: { credential: withoutHash(issued), token },
      };
    });
  }

  /** @throws RegistryError UNKNOWN_CREDENTIAL, FORBIDDEN */
  async revoke(caller: Caller, name: string): Promise<Credential> {
    return this.#changes.change((record) => {
      const revoked = this.#find(caller, record.credentials, name);
      const credentials = record.credentials.filter((credential) => credential.name !== name);
      return { credentials, result: withoutHash(revoked) };
    });
  }

  async #issue(
    make: (credentials: readonly StoredCredential[]) => Omit<StoredCredential, 'tokenHash'>,
  ): Promise<IssuedCredential> {
    const { token, tokenHash } = newToken();
    return this.#changes.change(({ credentials }) => {
      const issued = { ...make(credentials), tokenHash };
      const others = credentials.filter(({ name }) => name !== issued.name);
      return { credentials: [...others, issued], result: { credential: withoutHash(issued), token } };
    });
  }

  #stored(caller: Caller, { name, scopes, expiresAt }: NewCredential): Omit<StoredCredential, 'tokenHash'> {
    return {
      name,
      scopes,
      createdAt: this.#now().toISOString(),
      createdBy: caller.name,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  }

  #find(caller: Caller, credentials: readonly StoredCredential[], name: string): StoredCredential {
    // CI runs of one subject share a name.
    const sameName = credentials.filter((credential) => credential.name === name);
    const [credential] = sameName;
    if (!credential) throw new RegistryError('UNKNOWN_CREDENTIAL', `there is no credential ${name}`);
    for (const credential of sameName) mustAdminister(caller, credential);
    return credential;
  }

  #hasExpired({ expiresAt }: StoredCredential): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) <= this.#now().getTime();
  }
}

const EVERYTHING: Caller['scopes'] = [{ remote: '*', actions: [...ACTIONS] }];

/** The holder of REGISTRY_TOKEN, who creates the first credentials. */
const BOOTSTRAP: Caller = { name: 'bootstrap', scopes: EVERYTHING };
/** Someone on this machine, in local mode without REGISTRY_TOKEN. */
export const LOCAL: Caller = { name: 'local', scopes: EVERYTHING };

/** Reserved names: a credential with one could pass for another caller in the history. */
export const RESERVED_NAMES: readonly string[] = [BOOTSTRAP.name, LOCAL.name, 'offline', 'self', 'exchange'];

/** The caller of a token: REGISTRY_TOKEN's or a credential's. The function throws RegistryError UNAUTHORIZED. */
export function callersByToken(
  credentials: Pick<Credentials, 'authenticate'>,
  registryToken: string | undefined,
): (token: string) => Promise<Caller> {
  const expected = registryToken === undefined ? undefined : digest(registryToken);
  return async (token) => {
    // Digests have equal length, so that the comparison's time reveals neither length nor content.
    if (expected && timingSafeEqual(digest(token), expected)) return BOOTSTRAP;
    return credentials.authenticate(token);
  };
}
