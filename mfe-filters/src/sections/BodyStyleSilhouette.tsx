import type { ReactNode } from 'react';

const SEDAN =
  'M3 20v-3.500q.6-3.200 6-3.900l8-1 6.500-5.200q1.800-1.400 5-1.400h8.500q4 0 7 2.200l5.500 4.400 7.500 1.500q4 1 4 4.900v2z';

/** Side views in a 64 by 28 viewBox, facing left; the wheels are at x = 16 and 48. */
const BODIES: Readonly<Record<string, string>> = {
  SEDAN,
  COUPE:
    'M3 20v-3q.8-3.200 6-3.900l11-1.500 7-4.600q3-1.900 8-1.500 9.500.9 17 6.500l6 1.500q3 .9 3 4.500v2z',
  HATCH:
    'M4 20v-4q.6-3.200 6-3.900l8-.9 6-5q2-1.500 6-1.500h14q5.500 0 8.500 4.300l4 4.200q3.500 1 3.500 4.800v2z',
  SUVCROSS:
    'M3 20v-5.500q.6-3.300 6-3.900l8-.9 6-5.200q2-1.500 6-1.500h20q4 0 6 3.800l3 4.400q3 1 3 4.800v4z',
  SUV: 'M3 20v-8q.6-2.200 5-2.500l10-.6 4-5.300q1-1.200 4-1.200h29q2.600 0 3.100 2.600l1.500 5q1.400 1 1.400 4v6z',
  TRUCKS: 'M3 20v-7q.5-2 5-2.400l7-.6 5-5.500q1.500-1.300 4-1.300h9q2.600 0 3.100 2.600l.6 4.200h24.300v10z',
  VANS: 'M3 20v-6q.4-3 4-4.200l7-5.800q2-1.800 6-1.800h37q4 0 4 3.800v14z',
  VANMV:
    'M3 20v-5q.4-2.400 5-3.600l10-5.800q3.200-1.900 8-2.100h24q5 .2 7.500 4.700l3 4.400q.5 1 .5 3.400v4z',
  CONVERT:
    'M3 20v-3.400q1-3 6-3.600l12-1.200 6.500-4.600 1.600.8-4.300 4.400h19.200q3-1.800 7-.8l7 1.600q3 .9 3 4.300v2.500z',
};

/** Decorative: the label is below it. */
export function BodyStyleSilhouette({ code }: { code: string }): ReactNode {
  return (
    <svg width="64" height="28" viewBox="0 0 64 28" aria-hidden="true" focusable="false">
      <path d={BODIES[code] ?? SEDAN} fill="currentColor" opacity="0.8" />
      {[16, 48].map((x) => (
        <circle
          key={x}
          cx={x}
          cy="20.500"
          r="4.800"
          fill="currentColor"
          stroke="var(--fc-color-surface)"
          strokeWidth="1.500"
        />
      ))}
    </svg>
  );
}
