import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { ACTIONS } from './actions.ts';
import { RegistryError } from './format.ts';

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

/** JSON with sorted keys and without white space, as RFC 8785 orders it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The signed text of a manifest. */
export const canonicalManifest = (manifestBytes: Buffer): string =>
  canonicalJson(JSON.parse(manifestBytes.toString('utf8')));

/** SHA-256 in hexadecimal. */
export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

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

/** Actions on one remote, or on all of them (`*`). */
export const scopeSchema = z.object({
  remote: z.union([z.literal('*'), remoteNameSchema]),
  actions: z.array(z.enum(ACTIONS)).min(1).max(ACTIONS.length),
});
export type Scope = z.infer<typeof scopeSchema>;

/** Names that people choose; those of CI runs contain a colon, so that they can't collide. */
export const credentialNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,49}$/, 'must be 2 to 50 lowercase letters, digits and hyphens');

export const callerSchema = z.object({
  /** The history and the log show this name. */
  name: z.string().min(1).max(100),
  scopes: z.array(scopeSchema),
});
/** Caller of a request, identified by its credential. */
export type Caller = z.infer<typeof callerSchema>;

/** A credential as it is listed; its token is shown once, when it is created or rotated. */
export const credentialSchema = callerSchema.extend({
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  expiresAt: z.iso.datetime().optional(),
});
export type Credential = z.infer<typeof credentialSchema>;

export const credentialsSchema = z.object({ credentials: z.array(credentialSchema) });
/** The only response that holds a token. */
export const issuedCredentialSchema = z.object({ credential: credentialSchema, token: z.string() });

/** 'publish, canary mfe-results; end-canary *' */
export const describeScopes = (scopes: readonly Scope[]): string =>
  scopes.map(({ remote, actions }) => `${actions.join(', ')} ${remote}`).join('; ');
