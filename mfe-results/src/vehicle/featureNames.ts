import { FEATURES } from '@forecourt/upstream/features';

/** Names of a listing's features; a code that the contract doesn't know would say nothing to a shopper. */
export const featureNames = (codes: readonly string[]): string[] =>
  codes.flatMap((code) => (Object.hasOwn(FEATURES, code) ? FEATURES[code]! : []));
