import type { ReactNode } from 'react';
import styles from './Icon.module.css';

/** Stroke paths in a 24-unit viewBox. */
const PATHS = {
  arrowLeft: 'M15 5l-7 7 7 7',
  arrowRight: 'M9 5l7 7-7 7',
  check: 'M5 13l4.5 4.5L19 7',
  chevronDown: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  compare: 'M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7',
  filter: 'M4 6h16M7 12h10M10 18h4',
  flag: 'M6 21V4h12l-2.5 4L18 12H6',
  help: 'M4 5h16v11h-7l-5 4v-4H4zM9.800 8.800a2.200 2.200 0 1 1 3 2.100c-.600.200-.800.600-.800 1.100M12 13.900v.01',
  heart: 'M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.500 2.600C19.500 15.400 12 20 12 20z',
  info: 'M12 11v6M12 7.500v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  phone:
    'M6.500 4h3l1.500 4-2 1.500a11 11 0 0 0 5.500 5.500l1.500-2 4 1.500v3a1.500 1.500 0 0 1-1.700 1.500A16.500 16.500 0 0 1 5 5.700 1.500 1.500 0 0 1 6.500 4z',
  pin: 'M12 21s-6.500-6-6.500-11a6.500 6.500 0 0 1 13 0c0 5-6.500 11-6.500 11zM12 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  share: 'M12 15V4M8 7.500L12 4l4 3.500M6 12v7h12v-7',
  star: 'M12 4l2.500 5.200 5.700.7-4.200 3.900 1.100 5.700L12 16.700l-5.100 2.800L8 13.800 3.800 9.900l5.700-.7z',
  turn: 'M10 15.800C5.900 15.400 3 13.900 3 12c0-2.300 4-4 9-4s9 1.700 9 4c0 1.700-2.300 3.100-5.600 3.700M12 13l-2.200 2.800 2.800 2.400',
} as const;
type IconName = keyof typeof PATHS;

/** A decorative icon in the text's color; its control has the label. */
export function Icon({
  name,
  size = 20,
  filled = false,
}: {
  name: IconName;
  size?: number;
  filled?: boolean;
}): ReactNode {
  return (
    <svg
      className={filled ? `${styles['icon']} ${styles['filled']}` : styles['icon']}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
