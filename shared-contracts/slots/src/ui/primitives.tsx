import type { ButtonHTMLAttributes, CSSProperties, ReactNode, Ref } from 'react';
import buttonStyles from './Button.module.css';
import skeletonStyles from './Skeleton.module.css';
import hiddenStyles from './VisuallyHidden.module.css';
import styles from './Icon.module.css';
import laterStyles from './Icon.later.module.css';

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

/** Each has a mask in the styles of the first view, or in those that are loaded after the results. */
export const ICON_NAMES = [
  'arrowLeft',
  'arrowRight',
  'check',
  'chevronDown',
  'close',
  'compare',
  'filter',
  'flag',
  'heart',
  'heartFilled',
  'help',
  'info',
  'phone',
  'pin',
  'search',
  'share',
  'star',
  'starFilled',
  'turn',
] as const;
type IconName = (typeof ICON_NAMES)[number];

/** Width and height in px. */
type IconSize = 14 | 16 | 18 | 20 | 24 | 28;

const classOf = (name: string): string => styles[name] ?? laterStyles[name] ?? '';

/**
 * Classes that draw a decorative icon before an element's content, in the color of its text, so that a control needs no
 * element for its icon. The control is a flex or grid container and has the label.
 */
export const iconClass = (name: IconName, size: IconSize = 20): string =>
  `${classOf('icon')} ${classOf(name)}${size === 20 ? '' : ` ${classOf(`size${size}`)}`}`;

/** A decorative icon in the text's color as an element of its own; its control has the label. */
export const Icon = ({ name, size = 20 }: { name: IconName; size?: IconSize }): ReactNode => (
  <span className={`${iconClass(name, size)} ${classOf('alone')}`} aria-hidden="true" />
);
