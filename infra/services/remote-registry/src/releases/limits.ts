/** Most bytes in all files of one release, `release.json` included; also the most a compressed upload may hold. */
export const MAX_RELEASE_BYTES = 20 * 1024 * 1024;
/** Most files in one release, `release.json` not counted. */
export const MAX_RELEASE_FILES = 500;

export const MANIFEST_FILE = 'release.json';
