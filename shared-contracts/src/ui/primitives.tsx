import type { ButtonHTMLAttributes, CSSProperties, ReactNode, Ref } from 'react';
import buttonStyles from './Button.module.css';
import skeletonStyles from './Skeleton.module.css';
import hiddenStyles from './VisuallyHidden.module.css';

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
  [buttonStyles['button'], buttonStyles[look], extra].filter(Boolean).join(' ');

/**
 * A placeholder in the final size of its content. Hidden from assistive technology: the live region announces
 * loading.
 */
export function Skeleton(props: { width?: string; height: string; className?: string }): ReactNode {
  const size: CSSProperties = { inlineSize: props.width ?? '100%', blockSize: props.height };
  return (
    <span
      aria-hidden="true"
      className={`${skeletonStyles['skeleton']} ${props.className ?? ''}`}
      style={size}
    />
  );
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span className={hiddenStyles['hidden']}>{children}</span>;
}
