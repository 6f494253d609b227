import {
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import {
  DEFAULT_PATH,
  filtersInPlace,
  RELEVANCE_SORT,
  type SearchCriteria,
} from '@forecourt/search/criteria';
import { selectIsLoading } from '@forecourt/search/state';
import { filterPairs } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import { iconClass } from '@forecourt/slots/ui';
import { replaceFilters } from '../search/criteriaChanges.ts';
import { HiddenFields } from '../search/HiddenFields.tsx';
import { useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
import styles from './KeywordBox.module.css';
import './KeywordPanel.later.module.css';
import { focusResults } from '../search/focusResults.ts';
import { useLoaded } from '../search/useLoaded.ts';
import { useDisabledUnlessFocused } from '../search/useDisabledUnlessFocused.ts';

interface KeywordBoxProps {
  readonly text: string;
  readonly onType: (words: string) => void;
  readonly hasPanel: boolean;
  readonly isInDialog?: boolean;
  readonly hasAutofocus?: boolean;
  /** The shopper tapped the field or typed in it. */
  readonly onUse?: () => void;
  /** A search was started. */
  readonly onDone: () => void;
}

/** `dialog.showModal()` focuses this attribute; React's `autoFocus` would act before the dialog is open. */
const AUTOFOCUS = { autofocus: '' };

/** Attributes of the field that never change. */
const FIELD = {
  type: 'search',
  name: 'keyword',
  'aria-label': 'Keyword search',
  placeholder: 'Red SUV under 20k',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  enterKeyHint: 'search',
  maxLength: 120,
} as const;

const loadPanel = () =>
  import(/* webpackChunkName: "toolbar-on-demand" */ './KeywordPanel.tsx').then(
    ({ KeywordPanel }) => KeywordPanel,
  );

/** Replaces all filters but the place with the typed keyword. */
const searchFor = (keyword: string) => (criteria: SearchCriteria) =>
  replaceFilters(criteria, { keyword: [keyword] });

/** What the form sends beside the words: place and order stay without JavaScript, too. */
const carriedFields = ({ filters, sortBy }: SearchCriteria): ReturnType<typeof filterPairs> => [
  ...filterPairs(filtersInPlace(filters, {})),
  ...(sortBy === RELEVANCE_SORT ? [] : [['sortBy', sortBy] as const]),
];

/** Open state, active suggestion and keys of the field. */
function useCombobox({ text, onType, onUse, onDone }: KeywordBoxProps) {
  const edit = useEdit();
  const isLoading = usePageState(selectIsLoading);
  const [isOpen, setIsOpen] = useState(false);
  const [activeId, setActiveId] = useState<string>();
  const handleKeyRef = useRef<(key: string) => boolean>(() => false);
  const close = () => setIsOpen(false);
  const finish = () => {
    close();
    focusResults();
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const keyword = text.trim();
    if (keyword === '' || isLoading) return;
    finish();
    edit(searchFor(keyword), 'keyword');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen && text !== '') {
      // The first Escape closes only the suggestions, not the surrounding dialog.
      event.preventDefault();
      close();
      return;
    }
    if (event.key === 'ArrowDown' && !isOpen) setIsOpen(true);
    if (isOpen && handleKeyRef.current(event.key)) event.preventDefault();
  };
  const onClick = () => {
    onUse?.();
    if (text !== '') setIsOpen(true);
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onType(event.target.value);
    setIsOpen(event.target.value.trim() !== '');
    onUse?.();
  };
  const onLeave = () => {
    close();
    onDone();
  };
  return {
    isLoading,
    isOpen,
    activeId,
    close,
    submit,
    handlers: { onKeyDown, onClick, onChange },
    panel: { handleKeyRef, onActive: setActiveId, onDone: finish, onLeave },
  };
}

/**
 * The keyword field as a combobox: suggestions from the first character on, arrow keys to move through them, Enter to
 * pick one or to search for the typed words. A plain GET form without JavaScript.
 */
export function KeywordBox(props: KeywordBoxProps): ReactNode {
  const { text, hasPanel, isInDialog = false, hasAutofocus = false } = props;
  const { isLoading, isOpen, activeId, close, submit, handlers, panel } = useCombobox(props);
  const { isDisabled, input } = useDisabledUnlessFocused(isLoading);
  // The field works without suggestions; the next focus tries again.
  const { Loaded: Panel, request } = useLoaded(loadPanel);
  const listId = useId();
  const criteria = useDeferredCriteria();
  return (
    <form
      className={isInDialog ? `${styles['form']} ${styles['inDialog']}` : styles['form']}
      role="search"
      aria-label="Keyword search"
      action={DEFAULT_PATH}
      method="get"
      onSubmit={submit}
    >
      <HiddenFields fields={carriedFields(criteria)} />
      <label className={styles['field']}>
        <input
          {...(hasAutofocus && AUTOFOCUS)}
          {...FIELD}
          {...handlers}
          {...input}
          role="combobox"
          aria-autocomplete="list"
          className={styles['input']}
          value={text}
          disabled={isDisabled}
          readOnly={isLoading}
          aria-expanded={isOpen && hasPanel}
          aria-controls={listId}
          aria-activedescendant={isOpen ? activeId : undefined}
          onFocus={request}
          onBlur={() => {
            input.onBlur();
            close();
          }}
        />
      </label>
      <button
        type="submit"
        className={`${styles['submit']} ${iconClass('search', 18)}`}
        aria-label="Search"
      />
      {Panel && hasPanel && (
        <Panel id={listId} text={text} isOpen={isOpen} isInDialog={isInDialog} {...panel} />
      )}
    </form>
  );
}
