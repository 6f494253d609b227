import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';

/** A release whose files are here and verified. */
export interface LoadedRelease {
  readonly id: string;
  readonly manifest: ReleaseManifest;
  /** Sources of the node side by file name, e.g. 'remoteEntry.cjs'. */
  readonly nodeSources: ReadonlyMap<string, string>;
  /** Files of the web side by path, e.g. 'web/remoteEntry.js'. */
  readonly webFiles: ReadonlyMap<string, Buffer>;
}

export const releaseId = (name: string, version: string): string => `${name}@${version}`;
