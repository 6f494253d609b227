import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { recoveries } from '@forecourt/search/catalog';
import { type FilterParam, type SearchCriteria, addFilters } from '@forecourt/search/criteria';
import { formatCount, formatNumber } from '@forecourt/search/format';
import { selectFlag } from '@forecourt/search/state';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { isPlainClick } from '@forecourt/slots/ui';
import type { SuggestedFilter } from '@forecourt/upstream/entities';
import { searchHref } from '../search/links.ts';
import { useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
import styles from './Suggestions.module.css';

interface Offer {
  readonly key: string;
  readonly text: string;
  readonly apply: (criteria: SearchCriteria) => SearchCriteria;
  readonly cause: string;
}

function Offers({ label, offers }: { label: string; offers: readonly Offer[] }): ReactNode {
  const criteria = useDeferredCriteria();
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

/** Suggested filters. */
export function SuggestedFilters(): ReactNode {
  const criteria = useDeferredCriteria();
  const suggestions = usePageState(({ search }) => search.suggestions);
  const isOn = usePageState(selectFlag('suggestedFilters'));
  const segments = useSegments(isOn);
  // Chips before them come and go: the offers of another search are new elements, which appear where there is room.
  const chips = usePageState(({ search }) => search.chips);
  if (!isOn) return null;
  const offers = segmentsFirst(offeredSuggestions(suggestions, criteria), segments).map((suggestion) => ({
    key: JSON.stringify(suggestion.codes),
    text: `${suggestion.name} (${formatNumber(suggestion.count)})`,
    apply: withSuggestion(suggestion),
    cause: 'suggestion',
  }));
  return <Offers key={chips.map(({ key }) => key).join()} label="Suggested" offers={offers} />;
}

/** 'Price' → 'price', but 'SUV Type' and 'MPG' stay. */
const inSentence = (label: string): string =>
  label.replace(/\b[A-Z](?=[a-z])/g, (first) => first.toLowerCase());

/** Links that remove a filter of a search with few results: 'Any make: 570 results'. */
export function NearMisses(): ReactNode {
  const criteria = useDeferredCriteria();
  const { nearMisses } = usePageState(({ search }) => search.suggestions);
  const offers = recoveries(nearMisses, criteria).map(({ name, label, count, apply }) => ({
    key: name,
    text: `${name === 'location' ? 'Anywhere' : `Any ${inSentence(label)}`}: ${formatCount(count, 'result')}`,
    apply,
    cause: `nearMiss:${name}`,
  }));
  return <Offers label="More results" offers={offers} />;
}

/** Identifies the page to the personalization service. */
const ORIGIN = 'results';
const NO_SEGMENTS: readonly string[] = [];
const IDLE_WITHIN_MS = 3_000;

/**
 * The visitor's segments, requested once per page, but not for bots or without the flag. They
 * don't change while a search is shown, so that offers don't move under the pointer.
 */
function useSegments(isUsed: boolean): readonly string[] {
  const { call } = useSlotEnvironment();
  const isBot = usePageState(({ session }) => session.isBot);
  const isOn = usePageState(selectFlag('personalization'));
  const isWanted = isUsed && isOn && !isBot;
  const filters = usePageState(({ search }) => search.criteria.filters);
  const visitorZip = usePageState(({ session }) => session.visitorZip);
  const suggestions = usePageState(({ search }) => search.suggestions);
  const [loadedSegments, setLoaded] = useState(NO_SEGMENTS);
  const [applied, setShown] = useState({ suggestions, segments: NO_SEGMENTS });
  const params = {
    'pc.origin': ORIGIN,
    'pc.fueltype': filters.fuelTypeGroup?.join(',') ?? '',
    zip: filters.zip?.[0] ?? visitorZip ?? '',
  };
  const first = useRef(params);
  useEffect(() => {
    if (!isWanted) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const request = () =>
      void call('personalization', first.current, { signal }).then(
        ({ segments }) => setLoaded(segments),
        // Without segments the offers keep their order; the gateway logs the failure.
        () => undefined,
      );
    // The next search is the first that uses them, so other slots become interactive before.
    if (!('requestIdleCallback' in window)) request();
    else requestIdleCallback(() => signal.aborted || request(), { timeout: IDLE_WITHIN_MS });
    return () => controller.abort();
  }, [call, isWanted]);
  if (applied.suggestions !== suggestions) setShown({ suggestions, segments: loadedSegments });
  return applied.suggestions === suggestions ? applied.segments : loadedSegments;
}

const isChosen = (criteria: SearchCriteria, { codes }: SuggestedFilter) =>
  Object.entries(codes).every(([param, values]) =>
    values.every((value) => criteria.filters[param as FilterParam]?.includes(value)),
  );

/** Equal for equal suggestions, regardless of the order of parameters and values. */
const suggestionKey = ({ codes }: SuggestedFilter) =>
  JSON.stringify(
    Object.entries(codes)
      .map(([param, values]) => [param, [...values].sort()] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

/** Suggested filters, then strong attributes, without duplicates and selected ones. */
export function offeredSuggestions(
  suggestions: {
    readonly filters: readonly SuggestedFilter[];
    readonly strongAttributes: readonly SuggestedFilter[];
  },
  criteria: SearchCriteria,
): readonly SuggestedFilter[] {
  const suggestionsByKey = new Map<string, SuggestedFilter>();
  for (const suggestion of [...suggestions.filters, ...suggestions.strongAttributes]) {
    const key = suggestionKey(suggestion);
    if (!suggestionsByKey.has(key) && !isChosen(criteria, suggestion)) suggestionsByKey.set(key, suggestion);
  }
  return [...suggestionsByKey.values()];
}

/** Filter parameter by kind of segment, e.g. 'style:TRUCKS'. */
const SEGMENT_PARAMS: Readonly<Record<string, FilterParam>> = {
  make: 'makeCode',
  style: 'vehicleStyleCode',
  fuel: 'fuelTypeGroup',
};

/** Moves suggestions that match the visitor's segments to the front, in the order of the segments. */
function segmentsFirst(
  suggestions: readonly SuggestedFilter[],
  segments: readonly string[],
): readonly SuggestedFilter[] {
  const placeOf = ({ codes }: SuggestedFilter) => {
    const index = segments.findIndex((segment) => {
      const [kind = '', code = ''] = segment.split(':', 2);
      const param = SEGMENT_PARAMS[kind];
      return param !== undefined && codes[param]?.includes(code);
    });
    return index < 0 ? segments.length : index;
  };
  return suggestions.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Adds a suggestion's filters to the search. */
const withSuggestion =
  (suggestion: SuggestedFilter) =>
  (criteria: SearchCriteria): SearchCriteria =>
    addFilters(criteria, suggestion.codes);
