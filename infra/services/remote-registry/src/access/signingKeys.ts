import type { Caller } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import {
  canonicalManifest,
  isSignedBy,
  keyIdOf,
  parseSignature,
  type SignedManifest,
  type SigningKey,
} from '@forecourt/release-kit/signatures';
import type { AccessStore } from '../ports.ts';
import { AccessChanges, mustAllow } from './credentials.ts';

const invalid = (message: string) => new RegistryError('SIGNATURE_INVALID', message);

/** The keys that sign the releases of each remote. A remote with keys takes signed releases only. */
export class SigningKeys {
  readonly #store: AccessStore;
  readonly #changes: AccessChanges;
  readonly #now: () => Date;

  constructor(store: AccessStore, now: () => Date = () => new Date()) {
    this.#store = store;
    this.#changes = new AccessChanges(store);
    this.#now = now;
  }

  async list(): Promise<SigningKey[]> {
    return (await this.#store.readAccess()).keys;
  }

  /** A no-op if the key is there already. @throws RegistryError FORBIDDEN */
  async add(
    caller: Caller,
    { remote, publicKey }: Pick<SigningKey, 'remote' | 'publicKey'>,
  ): Promise<SigningKey> {
    mustAllow(caller, 'administer', remote);
    const keyId = keyIdOf(publicKey);
    const addedAt = this.#now().toISOString();
    return this.#changes.change(({ keys }) => {
      const existing = keys.find((key) => key.remote === remote && key.keyId === keyId);
      const added = existing ?? { remote, keyId, publicKey, addedAt, addedBy: caller.name };
      return { keys: existing ? keys : [...keys, added], result: added };
    });
  }

  /** Releases that it signed stay. @throws RegistryError FORBIDDEN, UNKNOWN_KEY */
  async remove(caller: Caller, { remote, keyId }: Pick<SigningKey, 'remote' | 'keyId'>): Promise<SigningKey> {
    mustAllow(caller, 'administer', remote);
    return this.#changes.change(({ keys }) => {
      const removedKey = keys.find((key) => key.remote === remote && key.keyId === keyId);
      if (!removedKey) throw new RegistryError('UNKNOWN_KEY', `${remote} has no key ${keyId}`);
      return { keys: keys.filter((key) => key !== removedKey), result: removedKey };
    });
  }

  /**
   * The verified signature of an upload; undefined if the remote has no keys and the upload no signature.
   * @throws RegistryError SIGNATURE_INVALID
   */
  async check(
    remote: string,
    manifestBytes: Buffer,
    header: string | undefined,
  ): Promise<SignedManifest | undefined> {
    const keys = (await this.list()).filter((key) => key.remote === remote);
    if (header === undefined) {
      if (keys.length === 0) return undefined;
      throw invalid(`${remote} takes signed releases only; sign with RELEASE_KEY_FILE or RELEASE_KEY`);
    }
    const signature = parseSignature(header);
    if (!signature) throw invalid('the signature is malformed');
    const key = keys.find(({ keyId }) => keyId === signature.keyId);
    if (!key)
      throw invalid(`key ${signature.keyId} is not registered for ${remote}; an administrator adds it`);
    const signed = { ...signature, manifest: manifestText(manifestBytes) };
    if (isSignedBy(signed, key.publicKey)) return signed;
    throw invalid(`the signature of key ${key.keyId} does not match the manifest`);
  }
}

function manifestText(manifestBytes: Buffer): string {
  try {
    return canonicalManifest(manifestBytes);
  } catch (error) {
    throw new RegistryError('RELEASE_INVALID', 'release.json is not JSON', { cause: error });
  }
}
