import { type GateResult, gateResultSchema } from '@forecourt/releases/gate';
import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import type { ReleaseId } from './releaseFiles.ts';
import { packArchive, readBuiltDirectory, COMMIT_HEADER, commitOf } from './archive.ts';
import { formatSignature, SIGNATURE_HEADER, signManifest } from './signatures.ts';
import { verifyRelease } from './verifyRelease.ts';

const errorBodySchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A failed call: `code` is the registry's, or UNREACHABLE when there was no valid response. */
export class RegistryCallError extends Error {
  override readonly name = 'RegistryCallError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Sends a request, without following redirects. */
type Send = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array<ArrayBuffer>;
  },
) => Promise<Response>;

/** For developers' machines. */
export const sendByFetch: Send = (url, request) =>
  fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(120_000) });

export interface RegistryAccess {
  /** Base URL, e.g. http://localhost:4100 */
  registryUrl: string;
  token?: string | undefined;
  /** PEM of the Ed25519 key that signs what is published; unsigned without one. */
  signingKey?: string | undefined;
  /** Default: `fetch`. A service sends by its egress policy. */
  send?: Send;
}

export interface RegistryCall {
  method: 'GET' | 'PUT' | 'POST';
  /** Below the base URL, beginning with a slash. */
  path: string;
  body?: { type: string; content: Buffer | string };
  headers?: Readonly<Record<string, string>>;
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : error.message;
};

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Calls the registry's API and parses the response with `schema`. @throws RegistryCallError */
export async function callRegistry<T>(
  { registryUrl, token, send = sendByFetch }: RegistryAccess,
  { method, path, body, headers: more }: RegistryCall,
  schema: z.ZodType<T>,
): Promise<T> {
  const headers: Record<string, string> = { ...more };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body) headers['content-type'] = body.type;
  let response: Response;
  try {
    const content = typeof body?.content === 'string' ? body.content : body && new Uint8Array(body.content);
    const url = new URL(path, registryUrl).href;
    response = await send(url, { method, headers, ...(content !== undefined && { body: content }) });
  } catch (error) {
    throw new RegistryCallError('UNREACHABLE', `${registryUrl} does not respond (${reasonOf(error)})`, {
      cause: error,
    });
  }
  const json = await readJson(response);
  if (!response.ok) {
    const refusal = errorBodySchema.safeParse(json);
    throw refusal.success
      ? new RegistryCallError(refusal.data.error.code, refusal.data.error.message)
      : new RegistryCallError(
          'UNREACHABLE',
          `${registryUrl} answers ${response.status} to ${path}; is that the right service?`,
        );
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new RegistryCallError('UNREACHABLE', `${registryUrl} returned an unexpected response to ${path}`);
}

/** A shell, and the policy by which requests to it are sent. */
interface ShellAccess {
  readonly shellUrl: string;
  readonly token?: string | undefined;
  readonly send: Send;
}

/** Calls a shell like `callRegistry`. @throws RegistryCallError */
export const callShell = <T>(
  { shellUrl: registryUrl, ...access }: ShellAccess,
  call: RegistryCall,
  schema: z.ZodType<T>,
): Promise<T> => callRegistry({ registryUrl, ...access }, call, schema);

/** Requests a gate check of a published release from a running shell. @throws RegistryCallError */
export const callShellGate = (shell: ShellAccess, { name, version }: ReleaseId): Promise<GateResult> =>
  callShell(
    shell,
    {
      method: 'POST',
      path: '/releases/gate',
      body: { type: 'application/json', content: JSON.stringify({ remote: name, version }) },
    },
    gateResultSchema,
  );

/**
 * Checks a built directory (`release.json`, `web/`, `node/`) and uploads it as
 * one release, signed if there is a key. Publishing does not make it live: promote it or start a canary.
 * @throws RegistryError RELEASE_INVALID, TOO_LARGE before anything is sent
 * @throws RegistryCallError with the registry's code, e.g. RELEASE_EXISTS
 */
export async function publishRelease({
  directory,
  signingKey,
  hasCommit = true,
  ...access
}: RegistryAccess & {
  directory: string;
  /** False if the build is of no commit; asking Git takes a tenth of a second. */
  hasCommit?: boolean;
}): Promise<ReleaseManifest> {
  const built = await readBuiltDirectory(directory);
  const { manifest } = verifyRelease(built.manifestBytes, built.files);
  const content = await packArchive(directory, Object.keys(manifest.files));
  const commit = hasCommit ? await commitOf(directory) : undefined;
  return callRegistry(
    access,
    {
      method: 'PUT',
      path: `/api/releases/${manifest.name}/${manifest.version}`,
      body: { type: 'application/gzip', content },
      headers: {
        ...(commit !== undefined && { [COMMIT_HEADER]: commit }),
        ...(signingKey !== undefined && {
          [SIGNATURE_HEADER]: formatSignature(signManifest(built.manifestBytes, signingKey)),
        }),
      },
    },
    releaseManifestSchema,
  );
}
