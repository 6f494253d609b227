export { sameOriginPath } from '../criteria/decode.ts';
export { detailUrl } from './detailUrl.ts';
export { encodeUrl, filterPairs, writeQuery } from './encode.ts';
export { signInLink } from './signInLink.ts';
export { encodeStoredSearch, storedSearchUrl } from './storedSearch.ts';
