import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import styles from './Section.module.css';
import type { PanelSection } from '../sections/panelSections.ts';
import { PanelControls } from './PanelControls.tsx';

interface SectionProps {
  readonly panel: PanelSection;
  /** The selected values as text. */
  readonly summary: string | undefined;
  readonly hasValue: boolean;
  readonly opensByDefault: boolean;
  readonly isDisabled: boolean;
  /** Without options, a skeleton is shown. */
  readonly hasOptions: boolean;
}

/**
 * A section as a `details` element. It opens when it gets a value and only the shopper closes it, so that a focused
 * control never disappears. A closed section has no controls; without JavaScript, `AllOptionsLink` leads to them.
 */
export const Section = memo(function Section(props: SectionProps): ReactNode {
  const { panel, summary, hasValue, opensByDefault, isDisabled, hasOptions } = props;
  const { label } = panel;
  const ref = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(opensByDefault || hasValue);
  const [hadValue, setHadValue] = useState(hasValue);
  if (hadValue !== hasValue) {
    setHadValue(hasValue);
    if (hasValue) setIsOpen(true);
  }
  // The shopper may have opened it before hydration.
  useEffect(() => setIsOpen(ref.current?.open ?? false), []);
  return (
    <details
      ref={ref}
      className={styles['section']}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary
        onClick={(event) => {
          // Toggled by React, so that the controls appear in the same paint instead of a skeleton.
          event.preventDefault();
          setIsOpen(!isOpen);
        }}
      >
        {label}
        {summary !== undefined && <span className={styles['value']}>{summary}</span>}
      </summary>
      {isOpen && hasOptions && (
        <fieldset className={styles['content']} disabled={isDisabled}>
          <legend className={styles['legend']}>{label}</legend>
          {isDisabled && <p className={styles['note']}>Not available for this search.</p>}
          <PanelControls panel={panel} />
        </fieldset>
      )}
    </details>
  );
});
