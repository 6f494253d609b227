import { useId, type ReactNode } from 'react';
import { recoveries } from '@forecourt/shared-contracts/catalog';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { isPlainClick } from '../search/isPlainClick.ts';
import { searchHref } from '../search/links.ts';
import { useEdit, useLaterCriteria } from '../search/searchEdits.tsx';
import { likedFirst, offeredSuggestions, withSuggestion } from './suggestions.ts';
import { useSegments } from './useSegments.ts';
import styles from './Suggestions.module.css';

interface Offer {
  readonly key: string;
  readonly text: string;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
  readonly cause: string;
}

function Offers({ label, offers }: { label: string; offers: readonly Offer[] }): ReactNode {
  const criteria = useLaterCriteria();
  const edit = useEdit();
  const labelId = useId();
  if (offers.length === 0) return null;
  return (
    <div className={styles['offers']}>
      <span id={labelId} className={styles['label']}>
        {label}
      </span>
      <ul className={styles['list']} aria-labelledby={labelId}>
        {offers.map(({ key, text, apply, cause }) => (
          <li key={key}>
            <a
              className={styles['offer']}
              href={searchHref(apply(criteria))}
              onClick={(event) => {
                if (!isPlainClick(event)) return;
                event.preventDefault();
                edit(apply, cause);
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Filters worth adding (B2-TOOL-07, B6-FLAG-04, AMB-073). */
export function SuggestedFilters(): ReactNode {
  const criteria = useLaterCriteria();
  const suggestions = usePageState(({ search }) => search.suggestions);
  const isOn = usePageState(selectFlag('suggestedFilters'));
  const segments = useSegments(isOn);
  if (!isOn) return null;
  const offers = likedFirst(offeredSuggestions(suggestions, criteria), segments).map((suggestion) => ({
    key: JSON.stringify(suggestion.codes),
    text: `${suggestion.name} (${formatNumber(suggestion.count)})`,
    apply: withSuggestion(suggestion),
    cause: 'suggestion',
  }));
  return <Offers label="Suggested" offers={offers} />;
}

/** The ways out of a search that finds little. */
export function NearMisses(): ReactNode {
  const criteria = useLaterCriteria();
  const { nearMisses } = usePageState(({ search }) => search.suggestions);
  const offers = recoveries(nearMisses, criteria).map(({ name, label, count, apply }) => ({
    key: name,
    text: `Drop ${label}: ${formatNumber(count)} ${count === 1 ? 'result' : 'results'}`,
    apply,
    cause: `nearMiss:${name}`,
  }));
  return <Offers label="More results" offers={offers} />;
}
