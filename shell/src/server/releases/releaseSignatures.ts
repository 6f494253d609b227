import { createHash, createPublicKey, verify } from 'node:crypto';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { ReleaseError } from './releaseError.ts';

/** Remote to the Ed25519 public keys (base64url) that it trusts; other remotes need no signature. */
export type ReleaseKeys = Readonly<Record<string, readonly string[]>>;

/** Response of the registry: the signature covers the very text of `manifest`. */
const signedManifestSchema = z.object({
  signature: z.string().regex(/^[\w-]{86}$/),
  manifest: z.string(),
});

/** Checks the signatures of releases whose remotes have trusted keys. */
export interface ReleaseSignatures {
  readonly isRequired: (remote: string) => boolean;
  /** The manifest in a signed text. @throws ReleaseError SIGNATURE unless a trusted key signed it */
  readonly read: (remote: string, version: string, body: Buffer) => ReleaseManifest;
  /** Name of the file for a verified manifest. Other trusted keys never find one that was verified with these. */
  readonly manifestFile: (remote: string) => string;
}

function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

export function createReleaseSignatures(keys: ReleaseKeys): ReleaseSignatures {
  const keysOf = (remote: string) => (Object.hasOwn(keys, remote) ? keys[remote] : undefined);
  return {
    isRequired: (remote) => keysOf(remote) !== undefined,
    read(remote, version, body) {
      const refuse = (reason: string) => new ReleaseError('SIGNATURE', `${remote}@${version} ${reason}`);
      let signed: z.infer<typeof signedManifestSchema>;
      try {
        signed = signedManifestSchema.parse(JSON.parse(body.toString('utf8')));
      } catch {
        throw refuse('has no readable signature');
      }
      const isTrusted = keysOf(remote)?.some((key) => isSignedBy(key, signed.manifest, signed.signature));
      if (!isTrusted) throw refuse('is not signed by a key that RELEASE_KEYS trusts');
      let manifest: ReleaseManifest;
      try {
        manifest = releaseManifestSchema.parse(JSON.parse(signed.manifest));
      } catch {
        throw refuse('has a signed manifest that is not valid');
      }
      if (manifest.name === remote && manifest.version === version) return manifest;
      throw refuse('has the signed manifest of another release');
    },
    manifestFile(remote) {
      const trusted = keysOf(remote);
      if (!trusted) return 'release.json';
      const id = createHash('sha256')
        .update([...trusted].sort().join())
        .digest('hex')
        .slice(0, 16);
      return `release-${id}.json`;
    },
  };
}
