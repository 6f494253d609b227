/** Meta element at the start of a response with the slots of a page: the releases that rendered them. */
export const RELEASES_META = 'releases';

/** Follows the main slot in that response: the slots of the first view are there. No slot may write such an element. */
export const MAIN_END = '<meta name="main-end">';

/** Names the releases of a page, to compare it with another one. */
export const releasesOf = (remotes: readonly { readonly name: string; readonly version: string }[]): string =>
  remotes.map(({ name, version }) => `${name}@${version}`).join(' ');
