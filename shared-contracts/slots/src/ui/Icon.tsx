import type { ReactNode } from 'react';
import styles from './Icon.module.css';
import laterStyles from './Icon.later.module.css';

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
