import { useEffect, useId, useLayoutEffect, useState, type ReactNode, type RefObject, useRef } from 'react';
import { replaceFilters } from '../search/criteriaChanges.ts';
import { filtersInPlace, isSortValue, RELEVANCE_SORT, type SearchCriteria } from '@forecourt/search/criteria';
import { filterPairs } from '@forecourt/search/url';
import { formatCount, formatNumber } from '@forecourt/search/format';
import { useSlotEnvironment } from '@forecourt/slots';
import { VisuallyHidden } from '@forecourt/slots/ui';
import type { CallResponses } from '@forecourt/upstream/calls';
import { useCriteria, useEdit } from '../search/searchEdits.tsx';
import styles from './KeywordPanel.later.module.css';

/** Minimum ms between two keyword lookups. */
const KEYWORD_DEBOUNCE_MS = 200;

type KeywordSuggestion = CallResponses['suggestedKeywords']['suggestions'][number];

export interface KeywordPanelProps {
  readonly id: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly isInDialog: boolean;
  /** Set by the panel: handles a key of the field; returns true if the list used it. */
  readonly handleKeyRef: RefObject<(key: string) => boolean>;
  /** Receives the id of the active suggestion. */
  readonly onActive: (id: string | undefined) => void;
  /** A search was picked. */
  readonly onDone: () => void;
  /** A suggested page was opened in a new window. */
  readonly onLeave: () => void;
}

/** The order that the words ask for, unless the shopper has chosen one. */
const sortOf = ({ sortBy }: SearchCriteria, suggestion: { readonly sortBy?: string | undefined }) =>
  sortBy === RELEVANCE_SORT && isSortValue(suggestion.sortBy) ? suggestion.sortBy : sortBy;

/** 'without “sliding doors”' */
const leftOutText = ({ leftOut = [], dropped = [] }: Extract<KeywordSuggestion, { kind: 'filters' }>) =>
  [...leftOut, ...dropped].map((words) => `\u201c${words}\u201d`).join(', ');

/** Replaces all filters but the place with the suggestion's. */
const suggestedSearch =
  (suggestion: Extract<KeywordSuggestion, { kind: 'filters' }>) => (criteria: SearchCriteria) =>
    replaceFilters(criteria, suggestion.filters, sortOf(criteria, suggestion));

/** URL of a suggested page; undefined unless http or https. */
export function contentUrl(url: string, base: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

const NO_SUGGESTIONS: readonly KeywordSuggestion[] = [];

/**
 * Suggestions for the typed words, requested from the first character on, at most every 200 ms. The previous
 * ones stay until the next response, so that the list doesn't flicker. A failed call clears them.
 */
function useSuggestions(text: string): readonly KeywordSuggestion[] {
  const { call } = useSlotEnvironment();
  const { filters } = useCriteria();
  // As text, so that an equal place starts no request.
  const place = JSON.stringify(Object.fromEntries(filterPairs(filtersInPlace(filters, {}))));
  const [suggestions, setSuggestions] = useState(NO_SUGGESTIONS);
  const lastRequestAt = useRef(-Infinity);
  const term = text.trim().replace(/\s+/g, ' ');
  useEffect(() => {
    if (term === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (nextSuggestions: readonly KeywordSuggestion[]) => {
      if (!signal.aborted) setSuggestions(nextSuggestions);
    };
    const request = () => {
      lastRequestAt.current = performance.now();
      call('suggestedKeywords', { ...(JSON.parse(place) as Record<string, string>), term }, { signal }).then(
        (response) => show(response.suggestions),
        () => show(NO_SUGGESTIONS),
      );
    };
    const timer = setTimeout(
      request,
      Math.max(0, lastRequestAt.current + KEYWORD_DEBOUNCE_MS - performance.now()),
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [call, term, place]);
  return term === '' ? NO_SUGGESTIONS : suggestions;
}

/** The active suggestion, -1 for the field itself with the typed words, and the keys that change it. */
function useActiveSuggestion(
  suggestions: readonly KeywordSuggestion[],
  handleKeyRef: KeywordPanelProps['handleKeyRef'],
  pick: (suggestion: KeywordSuggestion) => void,
): number {
  const [activeIndex, setActive] = useState(-1);
  const [shownSuggestions, setShownSuggestions] = useState(suggestions);
  if (shownSuggestions !== suggestions) {
    setShownSuggestions(suggestions);
    setActive(-1);
  }
  useLayoutEffect(() => {
    handleKeyRef.current = (key) => {
      const suggestion = suggestions[activeIndex];
      if (key === 'Enter' && suggestion) {
        pick(suggestion);
        return true;
      }
      const count = suggestions.length;
      const next = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex < 0 ? count - 1 : activeIndex - 1 }[
        key
      ];
      if (next === undefined || count === 0) return false;
      setActive(next >= count ? -1 : next);
      return true;
    };
  });
  return activeIndex;
}

function SuggestionNote({ suggestion }: { suggestion: KeywordSuggestion }): ReactNode {
  if (suggestion.kind === 'content') return <span className={styles['note']}>New window</span>;
  return (
    suggestion.count !== undefined && <span className={styles['note']}>{formatNumber(suggestion.count)}</span>
  );
}

const countText = (count: number): string => (count === 0 ? '' : formatCount(count, 'suggestion'));

/** The combobox's list of suggestions, and their number for screen readers. */
export function KeywordPanel(props: KeywordPanelProps): ReactNode {
  const { id, text, isOpen, isInDialog, handleKeyRef, onActive, onDone, onLeave } = props;
  const edit = useEdit();
  const optionId = useId();
  const suggestions = useSuggestions(isOpen ? text : '');
  const pick = (suggestion: KeywordSuggestion) => {
    if (suggestion.kind === 'filters') {
      onDone();
      edit(suggestedSearch(suggestion), 'keyword');
      return;
    }
    const url = contentUrl(suggestion.url, window.location.href);
    if (url !== undefined) window.open(url, '_blank', 'noopener');
    onLeave();
  };
  const activeIndex = useActiveSuggestion(suggestions, handleKeyRef, pick);
  const activeId = suggestions[activeIndex] && `${optionId}${activeIndex}`;
  useEffect(() => onActive(activeId), [activeId, onActive]);
  const hasList = isOpen && suggestions.length > 0;
  return (
    <>
      <ul
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!hasList}
        className={isInDialog ? styles['listInDialog'] : styles['list']}
      >
        {hasList &&
          suggestions.map((suggestion, index) => (
            // The field handles the keys, as in the ARIA combobox pattern.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={`${suggestion.kind} ${suggestion.label}`}
              id={`${optionId}${index}`}
              role="option"
              aria-selected={index === activeIndex}
              className={styles['option']}
              // Keep the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(suggestion)}
            >
              <span className={styles['optionLabel']}>
                {suggestion.label}
                {suggestion.kind === 'filters' &&
                  leftOutText(suggestion) &&
                  ` without ${leftOutText(suggestion)}`}
              </span>
              <SuggestionNote suggestion={suggestion} />
            </li>
          ))}
      </ul>
      <VisuallyHidden>
        <span role="status">{hasList ? countText(suggestions.length) : ''}</span>
      </VisuallyHidden>
    </>
  );
}
