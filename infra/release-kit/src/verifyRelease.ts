import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/releases/manifest';
import { RegistryError, zodReasons } from './registryError.ts';
import {
  MANIFEST_FILE,
  MAX_RELEASE_BYTES,
  MAX_RELEASE_FILES,
  type ReleaseFiles,
  type VerifiedRelease,
  integrityOf,
  releaseIdSchema,
  releaseLabel,
} from './releaseFiles.ts';

const invalid = (message: string, cause?: unknown) =>
  new RegistryError('RELEASE_INVALID', message, { cause });

function parseManifest(bytes: Buffer): ReleaseManifest {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalid(`${MANIFEST_FILE} is not JSON`, error);
  }
  const parsed = releaseManifestSchema.safeParse(json);
  if (!parsed.success) {
    throw invalid(`${MANIFEST_FILE} does not fit: ${zodReasons(parsed.error)}`);
  }
  const id = releaseIdSchema.safeParse(parsed.data);
  if (!id.success) throw invalid(`'${parsed.data.version}' is not a semantic version`);
  return parsed.data;
}

/**
 * Stricter than the contract's path rule: no empty, dotted or hidden segment,
 * so that every path is one file in every kind of storage and never collides
 * with the store's own files; no `.br`, the suffix of precompressed files.
 */
function checkPaths(manifest: ReleaseManifest): void {
  const paths = Object.keys(manifest.files);
  if (paths.length > MAX_RELEASE_FILES) {
    throw new RegistryError('TOO_LARGE', `more than ${MAX_RELEASE_FILES} files in one release`);
  }
  const uniquePaths = new Set<string>();
  for (const path of paths) {
    const segments = path.split('/');
    if (segments.some((segment) => segment === '' || segment.startsWith('.')) || path.endsWith('.br')) {
      throw invalid(`'${path}' is not a path that a release may hold`);
    }
    if (path.toLowerCase() === MANIFEST_FILE) throw invalid(`${MANIFEST_FILE} cannot list itself`);
    // On case-insensitive storage, two such files would be one.
    if (uniquePaths.has(path.toLowerCase())) throw invalid(`'${path}' occurs twice, ignoring case`);
    uniquePaths.add(path.toLowerCase());
  }
  for (const path of uniquePaths) {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth += 1) {
      const folder = segments.slice(0, depth).join('/');
      if (uniquePaths.has(folder)) throw invalid(`'${folder}' is both a file and a folder`);
    }
  }
}

function checkReferences(manifest: ReleaseManifest): void {
  const slots = Object.values(manifest.slots);
  const references = [
    manifest.entry.web,
    manifest.entry.node,
    ...(manifest.entry.modules ?? []),
    ...slots.flatMap((slot) => [...slot.scripts, ...slot.styles]),
  ];
  const absent = references.find((path) => !Object.hasOwn(manifest.files, path));
  if (absent !== undefined) throw invalid(`the manifest names '${absent}' but does not list it under files`);
}

/**
 * Checks a release before anything is stored: manifest shape, paths, limits,
 * and that the files are exactly those of the manifest, byte for byte.
 * @param manifestBytes `release.json`
 * @param files every other file
 * @throws RegistryError RELEASE_INVALID or TOO_LARGE, naming the first problem
 */
export function verifyRelease(manifestBytes: Buffer, files: ReleaseFiles): VerifiedRelease {
  const manifest = parseManifest(manifestBytes);
  checkPaths(manifest);
  checkReferences(manifest);

  let total = manifestBytes.length;
  for (const bytes of files.values()) total += bytes.length;
  if (total > MAX_RELEASE_BYTES) {
    throw new RegistryError(
      'TOO_LARGE',
      `${releaseLabel(manifest)} has ${total} bytes, more than ${MAX_RELEASE_BYTES}`,
    );
  }
  for (const path of files.keys()) {
    if (!Object.hasOwn(manifest.files, path)) throw invalid(`'${path}' is not in the manifest`);
  }
  for (const [path, stated] of Object.entries(manifest.files)) {
    const bytes = files.get(path);
    if (!bytes) throw invalid(`'${path}' is in the manifest but was not sent`);
    if (bytes.length !== stated.bytes) {
      throw invalid(`'${path}' has ${bytes.length} bytes, the manifest says ${stated.bytes}`);
    }
    if (integrityOf(bytes) !== stated.integrity) throw invalid(`'${path}' does not match its integrity`);
  }
  return { manifest, manifestBytes, files };
}
