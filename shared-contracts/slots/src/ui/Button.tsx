import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';

type Look = 'primary' | 'secondary' | 'quiet';

/** A button with a minimum height of 44 px. `look` is its visual variant. */
export function Button({
  look = 'secondary',
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; ref?: Ref<HTMLButtonElement> }): ReactNode {
  return <button type="button" {...rest} className={buttonClass(look, className)} />;
}

/** The same variants for a link: `<a className={buttonClass('primary')}>`. */
export const buttonClass = (look: Look, extra?: string): string =>
  [styles['button'], styles[look], extra].filter(Boolean).join(' ');
