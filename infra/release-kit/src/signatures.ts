import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { remoteNameSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { canonicalJson, sha256 } from './canonicalJson.ts';
import { RegistryError } from './registryError.ts';

/** Header of an upload: `KEYID SIGNATURE`. */
export const SIGNATURE_HEADER = 'release-signature';

/** The 32 bytes of an Ed25519 public key in base64url. */
export const publicKeySchema = z.string().regex(/^[\w-]{43}$/, 'must be an Ed25519 public key in base64url');

/** A key that may sign the releases of a remote. */
export const signingKeySchema = z.object({
  remote: remoteNameSchema,
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
  publicKey: publicKeySchema,
  addedAt: z.iso.datetime(),
  addedBy: z.string(),
});
export type SigningKey = z.infer<typeof signingKeySchema>;
export const signingKeysSchema = z.object({ keys: z.array(signingKeySchema) });

const signatureSchema = z.object({
  keyId: signingKeySchema.shape.keyId,
  /** Ed25519 in base64url. */
  signature: z.string().regex(/^[\w-]{86}$/),
});
export type ReleaseSignature = z.infer<typeof signatureSchema>;

/** A signature with the very text that it covers, so that verifying needs no canonicalization. */
export const signedManifestSchema = signatureSchema.extend({ manifest: z.string() });
export type SignedManifest = z.infer<typeof signedManifestSchema>;

/** The signed text of a manifest. */
export const canonicalManifest = (manifestBytes: Buffer): string =>
  canonicalJson(JSON.parse(manifestBytes.toString('utf8')));

export const keyIdOf = (publicKey: string): string =>
  sha256(Buffer.from(publicKey, 'base64url')).slice(0, 16);

/** Of a private or public key. @throws Error if it is no Ed25519 key */
export function publicKeyOf(key: KeyObject): string {
  const { crv, x } = key.export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new Error('releases are signed with Ed25519 keys');
  return x;
}

function readPrivateKey(pem: string): { key: KeyObject; publicKey: string } {
  try {
    const key = createPrivateKey(pem);
    return { key, publicKey: publicKeyOf(key) };
  } catch (error) {
    const message = 'RELEASE_KEY is not an Ed25519 private key in PEM; `keys generate` makes one';
    throw new RegistryError('SIGNATURE_INVALID', message, { cause: error });
  }
}

/** @param privateKey PEM (PKCS #8) @throws RegistryError SIGNATURE_INVALID if it is no Ed25519 key */
export function signManifest(manifestBytes: Buffer, privateKey: string): ReleaseSignature {
  const { key, publicKey } = readPrivateKey(privateKey);
  const signature = sign(null, Buffer.from(canonicalManifest(manifestBytes)), key);
  return { keyId: keyIdOf(publicKey), signature: signature.toString('base64url') };
}

export const formatSignature = ({ keyId, signature }: ReleaseSignature): string => `${keyId} ${signature}`;

/** Undefined if the header is malformed. */
export function parseSignature(header: string): ReleaseSignature | undefined {
  const [keyId, signature] = header.split(' ');
  return signatureSchema.safeParse({ keyId, signature }).data;
}

export function isSignedBy({ manifest, signature }: SignedManifest, publicKey: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, Buffer.from(manifest), key, Buffer.from(signature, 'base64url'));
}
