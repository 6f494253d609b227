import { releaseFilePath, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';

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
