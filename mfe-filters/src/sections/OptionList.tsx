import { memo, useState, type ReactNode } from 'react';
import type { FilterParam } from '@forecourt/search/criteria';
import { Button } from '@forecourt/slots/ui';
import type { PanelOption } from './panelSections.ts';
import { useDeferredSelectedValues } from '../search/searchEdits.tsx';
import { type ChangeTo, ChoiceRow } from './OptionRow.tsx';
import styles from './OptionList.module.css';
import { NoScript, useIsNoScript } from '../search/NoScript.tsx';

/** Options shown before 'Show all', unless only a few more would be hidden. */
const SHORT_LIST = 8;
const SHORT_LIST_TOLERANCE = 3;
/** Lists of at least this length get a search field. */
const SEARCHABLE_LENGTH = 15;

interface OptionListProps {
  readonly label: string;
  readonly param: FilterParam;
  readonly options: readonly PanelOption[];
  readonly changeTo: ChangeTo;
  readonly pictureOf?: (option: PanelOption) => ReactNode;
  /** Headings by the options' group. */
  readonly headingOf?: (group: string) => string;
}

const matches = (text: string, query: string) => text.toLowerCase().includes(query.trim().toLowerCase());

/** Options by group; a single group if there are no headings. */
function inGroups(options: readonly PanelOption[], isGrouped: boolean) {
  const groups = new Map<string, PanelOption[]>();
  for (const option of options) {
    const key = isGrouped ? (option.group ?? '') : '';
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  return [...groups];
}

/** The options that a list shows: all of a short list, the matches of a search, or the first of a long list. */
function useShownOptions({ param, options }: Pick<OptionListProps, 'param' | 'options'>) {
  const isNoScript = useIsNoScript();
  const isLong = !isNoScript && options.length > SHORT_LIST + SHORT_LIST_TOLERANCE;
  const selected = useDeferredSelectedValues(param);
  const [showsAll, setShowsAll] = useState(() =>
    options.slice(SHORT_LIST).some(({ value }) => selected.includes(value)),
  );
  const [query, setQuery] = useState('');
  const isSearching = query.trim() !== '';
  const matchingOptions = isSearching ? options.filter((option) => matches(option.label, query)) : options;
  const shownOptions =
    isSearching || showsAll || !isLong ? matchingOptions : matchingOptions.slice(0, SHORT_LIST);
  return {
    isLong,
    isSearching,
    shown: shownOptions,
    words: query,
    setWords: setQuery,
    showsAll,
    setShowsAll,
  };
}

function ShowAllButton(props: { label: string; count: number; showsAll: boolean; onToggle: () => void }) {
  const { label, count, showsAll, onToggle } = props;
  const text = showsAll ? 'Show fewer' : `Show all ${count}`;
  return (
    <Button
      look="quiet"
      className={styles['all']}
      aria-expanded={showsAll}
      aria-label={`${text}: ${label}`}
      onClick={onToggle}
    >
      {text}
    </Button>
  );
}

/** Checkboxes with counts. A long list starts collapsed and can be searched; the hidden options are in `noscript`. */
export const OptionList = memo(function OptionList(props: OptionListProps): ReactNode {
  const { label, param, options, changeTo, pictureOf, headingOf } = props;
  const { isLong, isSearching, shown, words, setWords, showsAll, setShowsAll } = useShownOptions(props);
  const row = (option: PanelOption) => (
    <ChoiceRow
      key={option.value}
      type="checkbox"
      param={param}
      option={option}
      picture={pictureOf?.(option)}
      changeTo={changeTo}
    />
  );
  return (
    <>
      {isLong && options.length >= SEARCHABLE_LENGTH && (
        <input
          className={styles['search']}
          type="search"
          aria-label={`Search ${label}`}
          placeholder={`Search ${label}`}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {inGroups(shown, headingOf !== undefined).map(([group, members]) =>
        headingOf && group !== '' ? (
          <div key={group} role="group" aria-label={headingOf(group)}>
            <p className={styles['heading']}>{headingOf(group)}</p>
            {members.map(row)}
          </div>
        ) : (
          <div key={group}>{members.map(row)}</div>
        ),
      )}
      {isSearching && shown.length === 0 && <p className={styles['none']}>No matches found.</p>}
      {shown.length < options.length && !isSearching && (
        <NoScript>{options.slice(shown.length).map(row)}</NoScript>
      )}
      {isLong && !isSearching && (
        <ShowAllButton
          label={label}
          count={options.length}
          showsAll={showsAll}
          onToggle={() => setShowsAll(!showsAll)}
        />
      )}
    </>
  );
});
