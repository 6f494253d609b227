import { memo, useState, type ReactNode } from 'react';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import { Button } from '@forecourt/shared-contracts/ui';
import type { PanelOption } from './panelOptions.ts';
import { NoScript, useIsNoScript } from '../search/NoScript.tsx';
import { useLaterChosen } from '../search/searchEdits.tsx';
import { ChoiceRow } from './OptionRow.tsx';
import styles from './OptionList.later.module.css';

/** Options that a list shows before 'Show all'; a list which is hardly longer is shown whole. */
const SHORT_LIST = 8;
const HARDLY_LONGER = 3;
/** A list longer than this can be searched. */
const SEARCHABLE_FROM = 15;

interface OptionListProps {
  readonly label: string;
  readonly param: FilterParam;
  readonly options: readonly PanelOption[];
  readonly onToggle: (value: string) => void;
  readonly pictureOf?: (option: PanelOption) => ReactNode;
  /** Headings by the options' group. */
  readonly headingOf?: (group: string) => string;
}

const matches = (text: string, words: string) => text.toLowerCase().includes(words.trim().toLowerCase());

/** Options under the heading of their group; without groups, one list. */
function inGroups(options: readonly PanelOption[], isGrouped: boolean) {
  const groups = new Map<string, PanelOption[]>();
  for (const option of options) {
    const key = isGrouped ? (option.group ?? '') : '';
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  return [...groups];
}

/**
 * Checkboxes with counts. A long list starts short and can be searched; what
 * it holds back is in `noscript`, so that a form without JavaScript has it all.
 */
export const OptionList = memo(function OptionList(props: OptionListProps): ReactNode {
  const { label, param, options, onToggle, pictureOf, headingOf } = props;
  const isNoScript = useIsNoScript();
  const isLong = !isNoScript && options.length > SHORT_LIST + HARDLY_LONGER;
  const chosen = useLaterChosen(param);
  const [showsAll, setShowsAll] = useState(() =>
    options.slice(SHORT_LIST).some(({ value }) => chosen.includes(value)),
  );
  const [words, setWords] = useState('');
  const isSearching = words.trim() !== '';
  const found = isSearching ? options.filter((option) => matches(option.label, words)) : options;
  const shown = isSearching || showsAll || !isLong ? found : found.slice(0, SHORT_LIST);

  const row = (option: PanelOption) => (
    <ChoiceRow
      key={option.value}
      type="checkbox"
      param={param}
      option={option}
      picture={pictureOf?.(option)}
      onChoose={onToggle}
    />
  );
  return (
    <>
      {isLong && options.length >= SEARCHABLE_FROM && (
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
      {isSearching && found.length === 0 && <p className={styles['none']}>No match for this search.</p>}
      {shown.length < options.length && !isSearching && (
        <NoScript>{options.slice(shown.length).map(row)}</NoScript>
      )}
      {isLong && !isSearching && (
        <Button
          look="quiet"
          className={styles['all']}
          aria-expanded={showsAll}
          aria-label={showsAll ? `Show fewer: ${label}` : `Show all ${options.length}: ${label}`}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show fewer' : `Show all ${options.length}`}
        </Button>
      )}
    </>
  );
});
