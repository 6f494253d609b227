import { useEffect, useId, useLayoutEffect, useState, type ReactNode, type RefObject, useRef } from 'react';
import type { KeywordSuggestion } from '../callTypes.ts';
import { formatNumber, Icon, VisuallyHidden } from '@forecourt/shared-contracts/ui';
import { useEdit } from '../search/searchEdits.tsx';
import styles from './KeywordPanel.later.module.css';
import { replaceFilters } from '../search/criteriaChanges.ts';
import { type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { KEYWORD_DEBOUNCE_MS } from '../constants.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';

export interface KeywordPanelProps {
  readonly id: string;
  readonly words: string;
  readonly isOpen: boolean;
  readonly isInDialog: boolean;
  /** Is told each key of the field; answers whether the key was for the list. */
  readonly handleKeyRef: RefObject<(key: string) => boolean>;
  /** Id of the suggestion under the keyboard. */
  readonly onActive: (id: string | undefined) => void;
  /** A search was picked. */
  readonly onDone: () => void;
  /** A page was opened elsewhere. */
  readonly onLeave: () => void;
}

/** The suggestions of the keyword search: the list of the combobox, and how many there are for those who do not see it. */
export function KeywordPanel(props: KeywordPanelProps): ReactNode {
  const { id, words, isOpen, isInDialog, handleKeyRef, onActive, onDone, onLeave } = props;
  const edit = useEdit();
  const optionId = useId();
  const suggestions = useSuggestions(isOpen ? words : '');
  const [at, setAt] = useState(-1);
  const [shown, setShown] = useState(suggestions);
  if (shown !== suggestions) {
    setShown(suggestions);
    setAt(-1);
  }
  const active = suggestions[at] && `${optionId}${at}`;
  useEffect(() => onActive(active), [active, onActive]);

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
  useLayoutEffect(() => {
    handleKeyRef.current = (key) => {
      const picked = suggestions[at];
      if (key === 'Enter' && picked) {
        pick(picked);
        return true;
      }
      const count = suggestions.length;
      // The place before the first is the field itself, with the words as they were typed.
      const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? count - 1 : at - 1 }[key];
      if (next === undefined || count === 0) return false;
      setAt(next >= count ? -1 : next);
      return true;
    };
  });
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
            // The keys of the list are the field's, as the combobox pattern has it.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={`${suggestion.kind} ${suggestion.label}`}
              id={`${optionId}${index}`}
              role="option"
              aria-selected={index === at}
              className={styles['option']}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(suggestion)}
            >
              <span className={styles['optionLabel']}>{suggestion.label}</span>
              {suggestion.kind === 'content' ? (
                <span className={styles['note']}>
                  Opens in a new window <Icon name="share" size={16} />
                </span>
              ) : (
                suggestion.count !== undefined && (
                  <span className={styles['note']}>{formatNumber(suggestion.count)}</span>
                )
              )}
            </li>
          ))}
      </ul>
      <VisuallyHidden>
        <span role="status">
          {isOpen && suggestions.length > 0
            ? `${suggestions.length} ${suggestions.length === 1 ? 'suggestion' : 'suggestions'}`
            : ''}
        </span>
      </VisuallyHidden>
    </>
  );
}

/** A suggestion's filters in place of all others, from the first page (B4-KEY-03). */
export const suggestedSearch =
  (suggestion: Extract<KeywordSuggestion, { kind: 'filters' }>) => (criteria: SearchCriteria) =>
    replaceFilters(criteria, suggestion.filters);

/** Address of a suggested page, if it is one that a browser may open: http or https (AMB-090). */
export function contentUrl(url: string, base: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

const NONE: readonly KeywordSuggestion[] = [];

/**
 * What the typed words may mean, asked from the first character on, at most
 * every 200 ms (AMB-090). The answer before stays until the next one, so that
 * the list does not flicker. A failed call means no suggestions (B7-KEY-02).
 */
export function useSuggestions(words: string): readonly KeywordSuggestion[] {
  const { call } = useSlotEnvironment();
  const [suggestions, setSuggestions] = useState(NONE);
  const askedAt = useRef(-Infinity);
  const term = words.trim().replace(/\s+/g, ' ');
  useEffect(() => {
    if (term === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (found: readonly KeywordSuggestion[]) => {
      if (!signal.aborted) setSuggestions(found);
    };
    const ask = () => {
      askedAt.current = performance.now();
      call('suggestedKeywords', { term }, { signal }).then(
        (answer) => show(answer.suggestions),
        () => show(NONE),
      );
    };
    const timer = setTimeout(ask, Math.max(0, askedAt.current + KEYWORD_DEBOUNCE_MS - performance.now()));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [call, term]);
  return term === '' ? NONE : suggestions;
}
