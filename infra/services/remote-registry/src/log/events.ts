import {
  canonicalJson,
  type Credential,
  describeScopes,
  type LogEvent,
  type PointerChange,
  type ReleaseId,
  releaseLabel,
  sha256,
  type SigningKey,
} from '@forecourt/cli/release';
import type { StoredRelease } from '../ports.ts';

const recovered = (isRecovered = false): LogEvent['details'] => (isRecovered ? { recovered: true } : {});

/** `manifest` is the SHA-256 of its canonical form, which names the hash of every file. */
export const publishEvent = (
  id: ReleaseId,
  { manifest, signature }: Pick<StoredRelease, 'manifest' | 'signature'>,
  { by, isRecovered }: { readonly by: string; readonly isRecovered?: boolean },
): LogEvent => ({
  action: 'publish',
  by,
  subject: releaseLabel(id),
  details: {
    manifest: sha256(canonicalJson(manifest)),
    ...(signature && { key: signature.keyId }),
    ...recovered(isRecovered),
  },
});

export const pointerEvent = (
  { verb, by, remote, revision, after, why, skipGate }: PointerChange,
  { isRecovered }: { readonly isRecovered?: boolean } = {},
): LogEvent => ({
  action: verb,
  by,
  subject: remote,
  details: {
    revision,
    live: after.live,
    ...(after.canary && { canary: after.canary.version, weight: after.canary.weight }),
    ...(why === undefined ? {} : { why }),
    ...(skipGate && { skipGate }),
    ...recovered(isRecovered),
  },
});

export const credentialEvent = (
  action: Extract<LogEvent['action'], `${string}-credential` | 'exchange-token'>,
  by: string,
  { name, scopes, expiresAt }: Credential,
): LogEvent => ({
  action,
  by,
  subject: name,
  details: { scopes: describeScopes(scopes), ...(expiresAt === undefined ? {} : { expiresAt }) },
});

export const keyEvent = (
  action: Extract<LogEvent['action'], `${string}-key`>,
  by: string,
  { remote, keyId, publicKey }: SigningKey,
): LogEvent => ({ action, by, subject: keyId, details: { remote, publicKey } });
