export { sameOriginPath } from '../criteria/decode.ts';
export { encodeUrl, filterPairs, writeQuery } from './encode.ts';
export { detailUrl, signInLink } from './links.ts';
export { normalizeUrl } from './encode.ts';
export { recognizeUrlShape } from './shapes.ts';
export { encodeStoredSearch, storedSearchUrl } from './links.ts';
