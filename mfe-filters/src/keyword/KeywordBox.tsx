import { useId, useRef, useState, type ComponentType, type KeyboardEvent, type ReactNode } from 'react';
import { DEFAULT_PATH, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { replaceFilters } from '../search/criteriaChanges.ts';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { Icon } from '@forecourt/shared-contracts/ui';
import { focusResults, useOff } from '../search/focus.tsx';
import { useEdit } from '../search/searchEdits.tsx';
import type { KeywordPanelProps } from './KeywordPanel.tsx';
import styles from './Keyword.module.css';
// The panel loads later, and brings no styles.
import './KeywordPanel.later.module.css';

interface KeywordBoxProps {
  readonly words: string;
  readonly onType: (words: string) => void;
  readonly hasPanel: boolean;
  readonly isInDialog?: boolean;
  readonly takesFocus?: boolean;
  /** The field is tapped or typed in. */
  readonly onUse?: () => void;
  /** The words have become a search. */
  readonly onDone: () => void;
}

/** The attribute which a native dialog goes by; React's property of that name acts before the dialog is open. */
const TAKES_FOCUS = { autofocus: '' };

/** The panel is code that few visits need: it comes when the field is first used. */
function usePanel() {
  const [Panel, setPanel] = useState<ComponentType<KeywordPanelProps>>();
  const isAsked = useRef(false);
  const load = () => {
    if (isAsked.current) return;
    isAsked.current = true;
    import('./KeywordPanel.tsx').then(
      (module) => setPanel(() => module.KeywordPanel),
      // Without suggestions the field still searches; the next use asks again.
      () => (isAsked.current = false),
    );
  };
  return { Panel, load };
}

/**
 * The field of the keyword search as a combobox: suggestions from the first
 * character, arrows move through them, Enter takes one or searches for the
 * words themselves. A plain GET form without JavaScript.
 */
export function KeywordBox(props: KeywordBoxProps): ReactNode {
  const { words, onType, hasPanel, isInDialog = false, takesFocus = false, onUse, onDone } = props;
  const edit = useEdit();
  const isLoading = usePageState(selectIsLoading);
  const { isDisabled, input } = useOff(isLoading);
  const { Panel, load } = usePanel();
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [activeId, setActiveId] = useState<string>();
  const handleKeyRef = useRef<(key: string) => boolean>(() => false);
  const done = () => {
    setIsOpen(false);
    focusResults();
    onDone();
  };
  const search = () => {
    const text = words.trim();
    if (text === '' || isLoading) return;
    done();
    edit(searchFor(text), 'keyword');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen && words !== '') {
      // The first Escape closes the suggestions, not the dialog around them.
      event.preventDefault();
      setIsOpen(false);
      return;
    }
    if (event.key === 'ArrowDown' && !isOpen) setIsOpen(true);
    if (isOpen && handleKeyRef.current(event.key)) event.preventDefault();
  };
  return (
    <form
      className={isInDialog ? `${styles['form']} ${styles['inDialog']}` : styles['form']}
      role="search"
      aria-label="Keyword search"
      action={DEFAULT_PATH}
      method="get"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <label className={styles['field']}>
        <input
          {...(takesFocus && TAKES_FOCUS)}
          {...input}
          className={styles['input']}
          type="search"
          name="keyword"
          role="combobox"
          aria-label="Keyword search"
          placeholder="Search by keyword"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={80}
          value={words}
          disabled={isDisabled}
          readOnly={isLoading}
          aria-expanded={isOpen && hasPanel}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen ? activeId : undefined}
          onFocus={load}
          onClick={() => {
            onUse?.();
            if (words !== '') setIsOpen(true);
          }}
          onChange={(event) => {
            onType(event.target.value);
            setIsOpen(event.target.value.trim() !== '');
            onUse?.();
          }}
          onBlur={() => {
            input.onBlur();
            setIsOpen(false);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <button type="submit" className={styles['submit']} aria-label="Search">
        <Icon name="search" size={18} />
      </button>
      {Panel && hasPanel && (
        <Panel
          id={listId}
          words={words}
          isOpen={isOpen}
          isInDialog={isInDialog}
          handleKeyRef={handleKeyRef}
          onActive={setActiveId}
          onDone={done}
          onLeave={() => {
            setIsOpen(false);
            onDone();
          }}
        />
      )}
    </form>
  );
}

/** Typed words as a search of their own, in place of all filters (B4-KEY-03). */
export const searchFor = (words: string) => (criteria: SearchCriteria) =>
  replaceFilters(criteria, { keyword: [words] });
