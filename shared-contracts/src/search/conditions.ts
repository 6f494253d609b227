import type { Brand } from '../brands/brands.ts';
import { LISTING_TYPES, LISTING_TYPE_LABELS } from '../entities/codes.ts';
import { MAX_NAMED_CONDITIONS } from '../rules/constants.ts';

/** 'New', 'New and Used', 'New, Used and Certified'. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/**
 * The conditions of a search in words: up to three are named, all four mean
 * any condition and none is (A9-LIMIT-10, AMB-071), in the case of the brand's
 * copy (AMB-068). Unknown codes are ignored.
 */
export function conditionSummary(codes: readonly string[], copyCase: Brand['copyCase'] = 'title'): string {
  const chosen = LISTING_TYPES.filter((code) => codes.includes(code));
  if (chosen.length > MAX_NAMED_CONDITIONS) return '';
  const words = joinWords(chosen.map((code) => LISTING_TYPE_LABELS[code]));
  return copyCase === 'lower' ? words.toLowerCase() : words;
}
