import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './Tabs.module.css';

export interface Tab {
  readonly key: string;
  readonly label: string;
  readonly panel: ReactNode;
}

/**
 * Tabs by the ARIA pattern: arrows, Home and End move and select, one tab stop. All panels are in the
 * document and unselected ones are hidden, so that search engines can read them; without JavaScript all are
 * shown one below the other.
 */
export function Tabs(props: {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (key: string) => void;
}): ReactNode {
  const { label, tabs, selected, onSelect } = props;
  const prefix = useId();
  const listRef = useRef<HTMLDivElement>(null);
  const lastSelected = useRef(selected);
  useEffect(() => {
    if (lastSelected.current === selected) return;
    lastSelected.current = selected;
    // A link may select a tab outside the viewport of a small screen: scroll the tab list, not the page.
    const list = listRef.current;
    const tab = list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(selected)}"]`);
    if (list && tab) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [selected]);
  const current = tabs.find(({ key }) => key === selected) ?? tabs[0];
  if (!current) return null;
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.indexOf(current);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.key);
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${CSS.escape(next.key)}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={listRef}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        className={styles['list']}
        onKeyDown={move}
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${prefix}tab-${tab.key}`}
            data-key={tab.key}
            aria-selected={tab === current}
            aria-controls={`${prefix}panel-${tab.key}`}
            tabIndex={tab === current ? 0 : -1}
            className={styles['tab']}
            onClick={() => onSelect(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.key}
          role="tabpanel"
          id={`${prefix}panel-${tab.key}`}
          aria-labelledby={`${prefix}tab-${tab.key}`}
          data-label={tab.label}
          hidden={tab !== current}
          // A tab stop, so that the keyboard reaches panels without controls (ARIA tabs pattern).
          tabIndex={0}
          className={styles['panel']}
        >
          {tab.panel}
        </div>
      ))}
    </>
  );
}
