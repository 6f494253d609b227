import type { CSSProperties, ReactNode } from 'react';
import styles from './Skeleton.module.css';

/**
 * A placeholder in the final size of its content. Hidden from assistive technology: the live region announces
 * loading.
 */
export function Skeleton(props: { width?: string; height: string; className?: string }): ReactNode {
  const size: CSSProperties = { inlineSize: props.width ?? '100%', blockSize: props.height };
  return (
    <span aria-hidden="true" className={`${styles['skeleton']} ${props.className ?? ''}`} style={size} />
  );
}
