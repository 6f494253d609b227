import { createHash } from 'node:crypto';
import { readBody } from '../bounds/readBody.ts';
import {
  pointersSchema,
  releaseFilePath,
  releaseManifestSchema,
  type Pointers,
  type ReleaseManifest,
} from '@forecourt/shared-contracts/slots/release';
import { ReleaseError } from './releaseError.ts';
import { createReleaseSignatures, type ReleaseSignatures } from './releaseSignatures.ts';

export { ReleaseError } from './releaseError.ts';

/** Requests to the registry, each with a size limit and a total deadline. */
export interface RegistryClient {
  /** Undefined when nothing changed since `revision` within `waitSeconds`. */
  readonly pointers: (
    revision: number | undefined,
    waitSeconds: number,
    signal: AbortSignal,
  ) => Promise<Pointers | undefined>;
  readonly manifest: (name: string, version: string) => Promise<ReleaseManifest>;
  /** The bytes of a file of a release, verified against its manifest. */
  readonly file: (manifest: ReleaseManifest, path: string) => Promise<Buffer>;
  /** Ends the canary for all shells; the reason goes into the registry's history. Rejects when it may not. */
  readonly endCanary: (name: string, version: string, reason: string) => Promise<void>;
}

/** Subresource Integrity of plain bytes, as manifests state it. */
export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

const ANSWER_DEADLINE_MS = 5_000;
const MAX_JSON_BYTES = 1024 * 1024;

async function get(
  registryUrl: string,
  path: string,
  limit: number,
  deadlineMs: number,
  init: RequestInit = {},
): Promise<{ status: number; body: Buffer }> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
  try {
    const response = await fetch(`${registryUrl}${path}`, { ...init, signal, redirect: 'error' });
    if (response.status === 304) return { status: 304, body: Buffer.alloc(0) };
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ReleaseError('REGISTRY_ANSWER', `status ${response.status} for ${path}`);
    }
    return {
      status: 200,
      body: await readBody(
        response,
        limit,
        () => new ReleaseError('TOO_LARGE', `response of more than ${limit} bytes`),
      ),
    };
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    throw new ReleaseError(
      'REGISTRY_UNREACHABLE',
      `${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Rejects e.g. an HTML page with status 200. */
function parse<T>(body: Buffer, schema: { parse: (value: unknown) => T }, what: string): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new ReleaseError('REGISTRY_ANSWER', `${what} is not a valid response of the registry`);
  }
}

export function createRegistryClient(
  registryUrl: string,
  {
    answerDeadlineMs = ANSWER_DEADLINE_MS,
    token,
    signatures = createReleaseSignatures({}),
  }: {
    answerDeadlineMs?: number;
    token?: string | undefined;
    /** Default: no remote needs a signature. */
    signatures?: ReleaseSignatures;
  } = {},
): RegistryClient {
  const request = (path: string, limit: number, deadlineMs: number, init?: RequestInit) =>
    get(registryUrl, path, limit, deadlineMs, init);

  /** The manifest in the signed text; the registry's other copy of it is never read. */
  async function signedManifest(name: string, version: string, path: string): Promise<ReleaseManifest> {
    const { body } = await request(path, MAX_JSON_BYTES, answerDeadlineMs).catch((error: unknown) => {
      if (!(error instanceof ReleaseError) || error.code !== 'REGISTRY_ANSWER') throw error;
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
      const { status, body } = await request(
        `/api/pointers${query}`,
        MAX_JSON_BYTES,
        answerDeadlineMs + waitSeconds * 1000,
        {
          signal,
        },
      );
      if (status === 304) return undefined;
      const pointers = parse(body, pointersSchema, 'the list of pointers');
      return pointers.revision === revision ? undefined : pointers;
    },
    async manifest(name, version) {
      const path = `/api/releases/${name}/${version}`;
      if (signatures.isRequired(name)) return signedManifest(name, version, `${path}/signature`);
      const { body } = await request(path, MAX_JSON_BYTES, answerDeadlineMs);
      const manifest = parse(body, releaseManifestSchema, `the manifest of ${name}@${version}`);
      if (manifest.name !== name || manifest.version !== version) {
        throw new ReleaseError(
          'REGISTRY_ANSWER',
          `the manifest of ${name}@${version} is that of another release`,
        );
      }
      return manifest;
    },
    async file({ name, version, files }, path) {
      const expected = files[path];
      if (!expected) throw new ReleaseError('REGISTRY_ANSWER', `${name}@${version} has no file ${path}`);
      const { body } = await request(releaseFilePath(name, version, path), expected.bytes, answerDeadlineMs);
      if (integrityOf(body) !== expected.integrity) {
        throw new ReleaseError('INTEGRITY', `${name}@${version}: ${path} is not the file that was published`);
      }
      return body;
    },
    async endCanary(name, version, reason) {
      await request(`/api/remotes/${name}/canary`, MAX_JSON_BYTES, answerDeadlineMs, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ version, weight: 0, why: reason.slice(0, 500) }),
      });
    },
  };
}
