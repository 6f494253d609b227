// Reads searches from URLs. Not shared: servers do it, and few slots.
export { decodeQuery, decodeUrl } from '../criteria/decode.ts';
export { normalizeUrl } from '../url/normalizeUrl.ts';
export { recognizeUrlShape } from '../url/recognizeUrlShape.ts';
