import type { ReactNode, RefObject } from 'react';
import styles from './BottomBlock.later.module.css';

/** A block below the results. The element stays while the block is hidden, so that its position can be observed. */
export function BottomBlock(props: {
  blockRef: RefObject<HTMLElement | null>;
  name: string;
  heading: string;
  isVisible: boolean;
  children: ReactNode;
}): ReactNode {
  const { blockRef, name, heading, isVisible, children } = props;
  return (
    <section
      ref={blockRef}
      className={styles['block']}
      aria-label={isVisible ? heading : undefined}
      data-block={name}
    >
      {isVisible && (
        <>
          <h2 className={styles['heading']}>{heading}</h2>
          {children}
        </>
      )}
    </section>
  );
}
