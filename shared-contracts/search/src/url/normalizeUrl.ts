import type { SearchCriteria } from '../criteria/criteria.ts';
import { type DecodeOptions, decodeUrl } from '../criteria/decode.ts';
import { DEFAULT_PATH, type NotFoundReason, RESULTS_PATH } from '../criteria/path.ts';
import type { SlugReference } from '../criteria/slugs.ts';
import { encodeParts, type Pairs, writeQuery } from './encode.ts';

type NormalizeResult =
  | {
      readonly kind: 'search';
      readonly criteria: SearchCriteria;
      /** The normalized URL on this origin; it redirects no further. */
      readonly canonicalUrl: string;
      readonly needsRedirect: boolean;
    }
  | { readonly kind: 'notFound'; readonly reason: NotFoundReason };

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const isSamePairs = (left: Pairs, right: Pairs) =>
  left.length === right.length &&
  left.every(([name, value], index) => name === right[index]?.[0] && value === right[index][1]);

/**
 * Decodes a request and returns its normalized URL. Compares decoded pairs, so that
 * another percent-encoding doesn't redirect; one redirect fixes order, legacy names, plural and duplicate
 * forms. `requestUrl` is path and query as received. The page answers 301 for GET and HEAD only.
 */
export function normalizeUrl(
  requestUrl: string,
  reference: SlugReference,
  options: DecodeOptions = {},
): NormalizeResult {
  const [withoutHash = ''] = requestUrl.split('#');
  const mark = withoutHash.indexOf('?');
  const pathname = mark === -1 ? withoutHash : withoutHash.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : withoutHash.slice(mark + 1));
  const result = decodeUrl(pathname, query, reference, options);
  if (result.kind === 'notFound') return result;
  const { path, pairs } = encodeParts(result.criteria, reference);
  // The bare route is accepted unchanged (AMB-045).
  const requestPath = decodedPath(pathname);
  const written = path === DEFAULT_PATH && requestPath === RESULTS_PATH ? RESULTS_PATH : path;
  return {
    kind: 'search',
    criteria: result.criteria,
    canonicalUrl: pairs.length === 0 ? written : `${written}?${writeQuery(pairs)}`,
    needsRedirect: requestPath !== written || !isSamePairs([...query], pairs),
  };
}
