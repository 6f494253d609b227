import { createHash, createPublicKey, verify } from 'node:crypto';
import { integrityOf } from '../rendering/release.ts';
import { createStreamingEgress, type StreamingEgress, readBody } from '@forecourt/service-kit/egress';
import { EGRESS } from '../egress.ts';
import type { Refusal } from '@forecourt/releases/gate';
import { releaseFilePath, releaseManifestSchema, type ReleaseManifest } from '@forecourt/releases/manifest';
import { pointersSchema, type Pointers } from '@forecourt/releases/pointers';
import { messageOf } from '../universal/messageOf.ts';
import { z } from 'zod';

/** Pointers that the shell does not follow until an operator confirms them. */
export interface SuspiciousPointers {
  readonly revision: number;
  readonly reason: string;
}

/**
 * Why `next` is more likely a lost, old or wrong registry than a change by a team; undefined if it can be followed. A
 * registry only counts up and never removes a remote.
 */
export function implausibility(
  next: Pointers,
  last: Pointers,
  requiredRemotes: ReadonlySet<string>,
): string | undefined {
  const names = Object.keys(last.remotes);
  if (names.length === 0) return undefined;
  if (Object.keys(next.remotes).length === 0)
    return `the registry has no remotes; live are ${names.join(', ')}`;
  if (next.revision < last.revision) return `the registry is older than revision ${last.revision}`;
  const lost = names.filter((name) => requiredRemotes.has(name) && !Object.hasOwn(next.remotes, name));
  return lost.length > 0 ? `the registry lacks ${lost.join(', ')}, which required slots need` : undefined;
}

type ReleaseErrorCode =
  | 'REGISTRY_UNREACHABLE'
  | 'INVALID_RESPONSE'
  | 'TOO_LARGE'
  | 'INTEGRITY'
  | 'SIGNATURE'
  | 'NOT_ACCEPTED';

/** Why a release cannot be used. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseErrorCode;
  /** Of NOT_ACCEPTED: every reason. */
  readonly refusals: readonly Refusal[];
  constructor(code: ReleaseErrorCode, message: string, refusals: readonly Refusal[] = []) {
    super(message);
    this.code = code;
    this.refusals = refusals;
  }
}

/** Remote to the Ed25519 public keys (base64url) that it trusts; other remotes need no signature. */
export type ReleaseKeys = Readonly<Record<string, readonly string[]>>;

/** Response of the registry: the signature covers the very text of `manifest`. */
const signedManifestSchema = z.object({
  signature: z.string().regex(/^[\w-]{86}$/),
  manifest: z.string(),
});

/** Checks the signatures of releases whose remotes have trusted keys. */
interface ReleaseSignatures {
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
      const isAccepted = keysOf(remote)?.some((key) => isSignedBy(key, signed.manifest, signed.signature));
      if (!isAccepted) throw refuse('is not signed by a key that RELEASE_KEYS trusts');
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

/** Requests to the registry, each with a size limit and a total deadline. */
export interface RegistryClient {
  /** Undefined if nothing changed since `revision` within `waitSeconds`. */
  readonly pointers: (
    revision: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ) => Promise<Pointers | undefined>;
  readonly manifest: (name: string, version: string) => Promise<ReleaseManifest>;
  /** The bytes of a file of a release, verified against its manifest. */
  readonly file: (manifest: ReleaseManifest, path: string) => Promise<Buffer>;
  /** Ends the canary for all shells; the registry records the reason. Rejects without authorization. */
  readonly endCanary: (name: string, version: string, reason: string) => Promise<void>;
  /** Returns everyone to the release before, unless the pointers have another revision. Rejects without authorization. */
  readonly rollBack: (
    name: string,
    move: { readonly revision: number; readonly reason: string },
  ) => Promise<void>;
}

/** Starts the span of a request to the registry, in a trace of its own; `end` takes `ok` or the code of the error. */
export type RegistryTrace = (name: string) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly end: (outcome: string) => void;
};

const TIMEOUT_MS = 5_000;
const MAX_JSON_BYTES = 1024 * 1024;
/** Characters that the registry stores. */
const MAX_REASON = 500;

/**
 * Fetches a URL within a total deadline and a size limit, without redirects.
 * The body of a 304 is empty. @throws ReleaseError
 */
export async function fetchBytes(
  send: StreamingEgress,
  url: string,
  { limit, timeoutMs, ...init }: RequestInit & { readonly limit: number; readonly timeoutMs: number },
): Promise<{ status: number; body: Buffer }> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
  try {
    const response = await send(url, { ...init, signal });
    if (response.status !== 200 && response.status !== 304) {
      await response.body?.cancel();
      throw new ReleaseError('INVALID_RESPONSE', `${url} returned status ${response.status}`);
    }
    const tooLarge = () => new ReleaseError('TOO_LARGE', `${url} has more than ${limit} bytes`);
    return { status: response.status, body: await readBody(response, limit, tooLarge) };
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError('REGISTRY_UNREACHABLE', `${url}: ${messageOf(error)}`);
  }
}

/** The bytes of a release's file, verified against its manifest. @throws ReleaseError */
export async function fetchFile(
  { name, version, files }: ReleaseManifest,
  path: string,
  fetchAtMost: (limit: number) => Promise<{ readonly body: Buffer }>,
): Promise<Buffer> {
  const expected = files[path];
  if (!expected) throw new ReleaseError('INVALID_RESPONSE', `${name}@${version} has no file ${path}`);
  const { body } = await fetchAtMost(expected.bytes);
  if (integrityOf(body) !== expected.integrity)
    throw new ReleaseError('INTEGRITY', `${name}@${version}: ${path} does not match its manifest`);
  return body;
}

/** Parses JSON by a schema; e.g. an HTML page with status 200 is invalid. @throws ReleaseError */
function parse<T>(body: Buffer, schema: { parse: (value: unknown) => T }, what: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new ReleaseError('INVALID_RESPONSE', `${what} is not a valid response of the registry`);
  }
}

type RequestOptions = Omit<Partial<Parameters<typeof fetchBytes>[2]>, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
};
type RegistryRequest = (path: string, options?: RequestOptions) => ReturnType<typeof fetchBytes>;

/** Sends requests under a span each. */
const tracedBy =
  (trace: RegistryTrace | undefined, request: RegistryRequest) =>
  async (name: string, path: string, options: RequestOptions = {}) => {
    const span = trace?.(name);
    try {
      const response = await request(path, { ...options, headers: { ...options.headers, ...span?.headers } });
      span?.end('ok');
      return response;
    } catch (error) {
      span?.end(error instanceof ReleaseError ? error.code : 'FAILED');
      throw error;
    }
  };

export function createRegistryClient(
  registryUrl: string,
  {
    timeoutMs = TIMEOUT_MS,
    token,
    signatures = createReleaseSignatures({}),
    trace,
  }: {
    timeoutMs?: number;
    token?: string | undefined;
    /** Default: no remote needs a signature. */
    signatures?: ReleaseSignatures;
    /** Of requests that the shell does not wait for changes with. */
    trace?: RegistryTrace | undefined;
  } = {},
): RegistryClient {
  const send = createStreamingEgress(EGRESS.registry(registryUrl));
  const request: RegistryRequest = (path, options = {}) =>
    fetchBytes(send, registryUrl + path, { limit: MAX_JSON_BYTES, timeoutMs, ...options });
  const traced = tracedBy(trace, request);

  const post = (what: string, path: string, body: object) =>
    traced(what, path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });

  /** The manifest in the signed text; the registry's other copy of it is never read. */
  async function signedManifest(name: string, version: string, path: string): Promise<ReleaseManifest> {
    const { body } = await traced(`signature of ${name}@${version}`, path).catch((error: unknown) => {
      if (!(error instanceof ReleaseError) || error.code !== 'INVALID_RESPONSE') throw error;
      throw new ReleaseError(
        'SIGNATURE',
        `${name}@${version} is not signed, and RELEASE_KEYS requires a signature (${error.message})`,
      );
    });
    return signatures.read(name, version, body);
  }

  return {
    async pointers(revision, waitSeconds, signal) {
      const query = revision === undefined ? '' : `?wait=${waitSeconds}&revision=${revision}`;
      const { status, body } = await request(`/api/pointers${query}`, {
        timeoutMs: timeoutMs + waitSeconds * 1000,
        signal,
      });
      if (status === 304) return undefined;
      const pointers = parse(body, pointersSchema, 'the list of pointers');
      return pointers.revision === revision ? undefined : pointers;
    },
    async manifest(name, version) {
      const path = `/api/releases/${name}/${version}`;
      if (signatures.isRequired(name)) return signedManifest(name, version, `${path}/signature`);
      const { body } = await traced(`manifest of ${name}@${version}`, path);
      const what = `the manifest of ${name}@${version}`;
      const manifest = parse(body, releaseManifestSchema, what);
      if (manifest.name !== name || manifest.version !== version)
        throw new ReleaseError('INVALID_RESPONSE', `${what} is that of another release`);
      return manifest;
    },
    file: (manifest, path) =>
      fetchFile(manifest, path, (limit) =>
        traced(`file ${path}`, releaseFilePath(manifest.name, manifest.version, path), { limit }),
      ),
    async endCanary(name, version, reason) {
      await post(`end of the canary of ${name}`, `/api/remotes/${name}/canary`, {
        ...{ version, weight: 0 },
        why: reason.slice(0, MAX_REASON),
      });
    },
    async rollBack(name, { revision, reason }) {
      await post(`rollback of ${name}`, `/api/remotes/${name}/rollback`, {
        expectedRevision: revision,
        why: reason.slice(0, MAX_REASON),
      });
    },
  };
}
