import { integrityOf } from '@forecourt/releases/integrity';
import { releaseFilePath, type ReleaseManifest } from '@forecourt/releases/manifest';

/** Which of its sides a release renders with: that of servers, or for the gate that of browsers. */
export type ReleaseHalf = 'server' | 'browser';

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
  /** Default: the server's. */
  readonly half?: ReleaseHalf;
}

const WEB = 'web/';

/** The release as the gate tries what browsers get of it. */
export const browserHalfOf = (release: LoadedRelease): LoadedRelease => ({
  ...release,
  id: `${release.id} (in browsers)`,
  half: 'browser',
});

/** Sources of the side that a release renders with, by path below its folder. */
export const sourcesOf = ({ half, nodeSources, webFiles }: LoadedRelease): ReadonlyMap<string, string> =>
  half === 'browser'
    ? new Map([...webFiles].map(([path, bytes]) => [path.slice(WEB.length), bytes.toString('utf8')]))
    : nodeSources;

/** A file as a page names it: the browser takes no other bytes. */
export interface FileLink {
  readonly url: string;
  readonly integrity: string;
}

export { integrityOf };

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
