import { type Chip, filterCount } from '@forecourt/shared-contracts/catalog';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import { standingChips } from '../toolbar/chipState.ts';

export interface SaveSearchConditions {
  readonly isSwitchedOff: boolean;
  readonly hasRequestValues: boolean;
  readonly signedIn: boolean;
  /** Title under which this search is saved already. */
  readonly savedTitle: string | undefined;
  readonly hasPersonalization: boolean;
  /** Chips besides the location. */
  readonly hasChips: boolean;
}

/** Does the save-search button show (A4-SAVE-10..14, AMB-016, AMB-098)? */
export const isSaveSearchShown = (conditions: SaveSearchConditions): boolean =>
  !conditions.isSwitchedOff &&
  conditions.hasRequestValues &&
  (!conditions.signedIn || conditions.savedTitle === undefined) &&
  conditions.hasPersonalization &&
  conditions.hasChips;

/** What the page says about them; the chips of the last answer stand while results load (A4-SAVE-15). */
export function conditionsOf(
  {
    session,
    search,
  }: Pick<RootState, 'session'> & {
    readonly search: Pick<RootState['search'], 'requestParams' | 'pageData'> & {
      readonly chips: readonly Chip[];
    };
  },
  criteria: SearchCriteria,
): SaveSearchConditions {
  return {
    isSwitchedOff: session.flags['saveSearchOff'] ?? false,
    hasRequestValues: Object.keys(search.requestParams).length > 0,
    signedIn: session.signedIn,
    savedTitle: search.pageData.saveSearchData?.title || undefined,
    hasPersonalization: session.flags['personalization'] ?? false,
    hasChips: filterCount(standingChips(search.chips, criteria)) > 0,
  };
}
