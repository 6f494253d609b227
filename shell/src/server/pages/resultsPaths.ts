import { RESERVED_SEGMENTS, RESULTS_PATH } from '@forecourt/shared-contracts/criteria';
import type { PageDeps } from './pageDeps.ts';

/** Without the exceptions of `resultsPaths`. */
export const ALL_RESULTS_PATHS = [RESULTS_PATH, `${RESULTS_PATH}/*path`];

/** The same without those that may belong to other routes. The group makes Express refuse malformed encodings. */
export function resultsPaths({ extension }: Pick<PageDeps, 'extension'>): RegExp {
  const others = RESERVED_SEGMENTS.map((segment) => `${RESULTS_PATH}/${segment}`);
  if (extension) others.push(extension.path);
  return new RegExp(`^(?!(?:${others.join('|')})(?:/|$))${RESULTS_PATH}(?:/(.*))?$`, 'i');
}
