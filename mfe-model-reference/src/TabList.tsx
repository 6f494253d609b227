import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './TabList.later.module.css';

export interface Tab {
  readonly key: string;
  readonly label: string;
  readonly panel: ReactNode;
}

/**
 * Tabs by the ARIA pattern: arrows, Home and End move and choose, one tab stop.
 * All panels are in the document, those not chosen hidden: search engines read
 * them, and without scripts they stand one below the other.
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
  const chosen = useRef(selected);
  useEffect(() => {
    if (chosen.current === selected) return;
    chosen.current = selected;
    // A link may choose a tab beyond the edge of a small screen; the page itself must not move.
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
          // The panel is a tab stop, so that a keyboard reaches content that has no control of its own (ARIA tabs pattern).
          tabIndex={0}
          className={styles['panel']}
        >
          {tab.panel}
        </div>
      ))}
    </>
  );
}
