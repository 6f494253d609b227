import { useEffect, useRef, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { KEYWORD_DEBOUNCE_MS } from '../constants.ts';
import type { KeywordSuggestion } from '../callTypes.ts';

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
