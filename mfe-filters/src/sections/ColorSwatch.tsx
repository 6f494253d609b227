import type { ReactNode } from 'react';
import styles from './ColorSwatch.later.module.css';

/** CSS colors by the API's color codes. */
const PAINTS: Readonly<Record<string, string>> = {
  BEIGE: '#d9c9a8',
  BLACK: '#15171a',
  BLUE: '#2456a6',
  BROWN: '#6b4a2f',
  BURGUNDY: '#6d1a2d',
  CHARCOAL: '#3b4046',
  CREAM: '#f1e8d2',
  GOLD: '#bf9b45',
  GRAY: '#7d848c',
  GREEN: '#2f6b46',
  MAROON: '#6d1a2d',
  ORANGE: '#d9691e',
  PINK: '#d98aa4',
  PURPLE: '#5b3a86',
  RED: '#b5202a',
  SILVER: '#c3c8cd',
  TAN: '#c4a57b',
  TEAL: '#1f7a7d',
  TURQUOISE: '#31a3a6',
  WHITE: '#ffffff',
  YELLOW: '#e3bf2d',
};

/** A color swatch; striped for unknown colors such as 'Other'. Decorative: the label is next to it. */
export function ColorSwatch({ code }: { code: string }): ReactNode {
  const paint = PAINTS[code.toUpperCase()];
  return (
    <span
      aria-hidden="true"
      className={styles['swatch']}
      style={paint ? { backgroundColor: paint } : undefined}
    />
  );
}
