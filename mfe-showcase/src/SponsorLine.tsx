import type { ReactNode } from 'react';
import { Icon } from '@forecourt/slots/ui';
import styles from './SponsorLine.module.css';

/** The sponsor in one line, with what fits beside it; on small screens, the content opens below the line. */
export function SponsorLine(props: {
  readonly picture: ReactNode;
  /** The sponsor's name, as a heading or not. */
  readonly name: ReactNode;
  readonly where: string;
  readonly contentId: string;
  readonly content: ReactNode;
  readonly isOpen: boolean;
  readonly toggle: {
    readonly words: string;
    /** Id of what it opens. */
    readonly controls: string | undefined;
    /** Large screens show everything. */
    readonly isSmallOnly: boolean;
    readonly onToggle: () => void;
  };
  /** A link to the same vehicles, shown in place of the toggle without JavaScript. */
  readonly withoutScripts?: ReactNode;
  readonly hideButton: ReactNode;
}): ReactNode {
  const { picture, name, where, contentId, content, isOpen, toggle, withoutScripts, hideButton } = props;
  return (
    <div className={styles['line']} data-open={isOpen || undefined}>
      {picture}
      <div className={styles['sponsor']}>
        <span className={styles['label']}>Sponsored</span> {name} <span>{where}</span>
      </div>
      <div id={contentId} className={styles['content']}>
        {content}
      </div>
      <button
        type="button"
        className={toggle.isSmallOnly ? `${styles['toggle']} ${styles['smallOnly']}` : styles['toggle']}
        aria-expanded={isOpen}
        aria-controls={toggle.controls}
        onClick={toggle.onToggle}
      >
        {toggle.words}
        <Icon name="chevronDown" size={18} />
      </button>
      {withoutScripts && <div className={styles['withoutScripts']}>{withoutScripts}</div>}
      {hideButton}
    </div>
  );
}
