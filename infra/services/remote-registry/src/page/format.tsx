import { useEffect, useState, type ReactNode } from 'react';
import styles from './ControlRoom.module.css';

/** A short state in a color of its meaning; the text alone says it. */
export const Tag = ({
  look,
  children,
}: {
  readonly look: 'good' | 'bad' | 'attention' | 'plain';
  readonly children: ReactNode;
}): ReactNode => (
  <span className={styles['tag']} data-look={look}>
    {children}
  </span>
);

const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
export const percent = (share: number): string => percents.format(share);

const numbers = new Intl.NumberFormat('en-US');
export const count = (value: number): string => numbers.format(value);

/** '112.4 kB' */
export const kilobytes = (bytes: number): string =>
  `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }).format(bytes / 1000)} kB`;

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** '5 minutes ago' */
function ago(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

const REFRESH_MS = 15_000;

/** The present time; ms since 1970. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** A time relative to now, with the exact one as its title. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  return (
    <time dateTime={at} title={new Date(at).toLocaleString('en-US')}>
      {ago(at, now)}
    </time>
  );
}
