import type { ReactNode } from 'react';
import styles from './ContentFrame.module.css';

/** Content from editors or dealers, below the logo of its author. */
export function ContentFrame(props: {
  logo: { readonly src: string | null | undefined; readonly name: string };
  children: ReactNode;
}): ReactNode {
  const { logo, children } = props;
  return (
    <div className={styles['content']}>
      {logo.src && <img className={styles['logo']} src={logo.src} alt={logo.name} height={56} />}
      {children}
    </div>
  );
}
