import { LISTING_TYPES, LISTING_TYPE_LABELS } from '../entities/codes.ts';
import { MAX_NAMED_CONDITIONS } from '../rules/constants.ts';

/** 'New', 'New and Used', 'New, Used and Certified'. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/**
 * The conditions of a search in words: up to three are named, all four mean
 * any condition and none is (A9-LIMIT-10, AMB-071). Unknown codes are ignored.
 */
export function conditionSummary(codes: readonly string[]): string {
  const chosen = LISTING_TYPES.filter((code) => codes.includes(code));
  return chosen.length > MAX_NAMED_CONDITIONS
    ? ''
    : joinWords(chosen.map((code) => LISTING_TYPE_LABELS[code]));
}
