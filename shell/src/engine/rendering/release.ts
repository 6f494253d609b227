import { createHash } from 'node:crypto';
import { releaseFilePath, type ReleaseManifest } from '@forecourt/releases/manifest';

/** A release whose files are here and verified. */
export interface LoadedRelease {
  readonly id: string;
  readonly manifest: ReleaseManifest;
  /** Sources of the node side by file name, e.g. 'remoteEntry.cjs'. */
  readonly nodeSources: ReadonlyMap<string, string>;
  /** Files of the web side by path, e.g. 'web/remoteEntry.js'. */
  readonly webFiles: ReadonlyMap<string, Buffer>;
  /** Replaces the id in metrics and logs: no canary is judged by such a release. */
  readonly metricsLabel?: string;
  /** Other origin that browsers load its files from; default the page's own. */
  readonly filesFrom?: string;
}

/** A file as a page names it: the browser takes no other bytes. */
export interface FileLink {
  readonly url: string;
  readonly integrity: string;
}

/** Subresource Integrity of uncompressed bytes, as in manifests. */
export const integrityOf = (bytes: Buffer): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

export const releaseId = (name: string, version: string): string => `${name}@${version}`;

/** Where browsers load a file of a release from. */
export const releaseFileUrl = (
  { manifest: { name, version }, filesFrom }: Pick<LoadedRelease, 'manifest' | 'filesFrom'>,
  path: string,
): string => (filesFrom === undefined ? releaseFilePath(name, version, path) : `${filesFrom}/${path}`);

/** How a page names a file of a release; the manifest lists every file. */
export const releaseFileLink = (
  release: Pick<LoadedRelease, 'manifest' | 'filesFrom'>,
  path: string,
): FileLink => ({
  url: releaseFileUrl(release, path),
  integrity: release.manifest.files[path]?.integrity ?? '',
});

/**
 * Two scripts of a release as one file, e.g. 'web/slots.1a2b3c4d.js+remoteEntry.js': a chunk and the container that finds it
 * loaded. In this order, because the chunk's first line makes the file strict.
 */
export const joinedPath = (chunk: string, entry: string): string =>
  `${chunk}+${entry.slice(entry.lastIndexOf('/') + 1)}`;

/** The paths of a joined file's parts; undefined for any other file. */
export function partsOf(path: string): readonly [chunk: string, entry: string] | undefined {
  const [, folder = '', chunk = '', entry = ''] = /^([^+]*\/)([^/+]+\.js)\+([^/+]+\.js)$/.exec(path) ?? [];
  return chunk === '' ? undefined : [folder + chunk, folder + entry];
}

export const joinScripts = (chunk: Buffer, entry: Buffer): Buffer =>
  Buffer.concat([chunk, Buffer.from('\n'), entry]);
