export { sameOriginPath } from '../criteria/decode.ts';
export { detailUrl } from './detailUrl.ts';
export { encodeUrl, filterPairs, normalizeUrl, writeQuery } from './encode.ts';
export { recognizeUrlShape } from './recognizeUrlShape.ts';
export { signInLink } from './signInLink.ts';
export { encodeStoredSearch, storedSearchUrl } from './storedSearch.ts';
