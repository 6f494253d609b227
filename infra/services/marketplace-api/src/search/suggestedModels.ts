import type { SuggestedModel } from '@forecourt/shared-contracts/entities';
import { BOTTOM_BLOCK_MAX_RESULTS } from '@forecourt/shared-contracts/rules';
import { type SearchCriteria, singleValue } from '@forecourt/shared-contracts/criteria';
import type { FacetCounts } from '../index/listingIndex.ts';

const MAX_SUGGESTED = 3;

const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/-(?=\d)/g, '')
    .split(/[\s/-]+/)
    .filter(Boolean);

/** One name begins with all words of the other ('F-150', 'F-150 Lightning'), or both with one telling word. */
function areAlike(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = left.findIndex((word, at) => word !== right[at]);
  const same = shared < 0 ? left.length : shared;
  return same === Math.min(left.length, right.length) || (same > 0 && /^[a-z]{4,}$/.test(left[0]!));
}

/**
 * Models that a shopper of one model may have meant (A3-RESP-10, AMB-042):
 * of a like name and the same make, where the chosen one has few results and
 * the other has more under the same filters. Asking everybody would be a
 * nuisance: the page opens a dialog.
 */
export function suggestModels(
  criteria: SearchCriteria,
  counts: FacetCounts | undefined,
  total: number,
): SuggestedModel[] {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  if (!counts || !makeCode || !modelCode || total > BOTTOM_BLOCK_MAX_RESULTS) return [];
  const chosen = counts.models.find(({ code }) => code.toUpperCase() === modelCode.toUpperCase());
  if (!chosen?.make) return [];
  const { make, name } = chosen;
  return counts.models
    .filter((model) => model.code !== chosen.code && model.make?.code === make.code)
    .filter((model) => model.count > total && areAlike(model.name, name))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_SUGGESTED)
    .map((model) => ({
      selectedMakeDescription: make.name,
      selectedModelDescription: name,
      suggestedMakeCode: make.code,
      suggestedModelCode: model.code,
      suggestedMakeDescription: make.name,
      suggestedModelDescription: model.name,
    }));
}
