import type { ReactNode } from 'react';
import type { Brand } from '@forecourt/search/brands';

const PICTURES: Readonly<
  Record<Brand['notificationVariant'], { readonly label: string; readonly paths: readonly string[] }>
> = {
  alert: {
    label: 'A bell',
    paths: [
      'M48 18c-12 0-20 9-20 21v13l-7 10h54l-7-10V39c0-12-8-21-20-21z',
      'M41 68a7 7 0 0 0 14 0M48 12v6',
      'M74 24a26 26 0 0 1 6 16M22 24a26 26 0 0 0-6 16',
    ],
  },
  'dream-car': {
    label: 'A car with a star above it',
    paths: [
      'M14 62v-9c0-4 3-7 7-7l8-2 11-11h20l12 11 6 2c4 1 6 4 6 8v8h-9M30 62h36M14 62h2',
      'M31 62a7.500 7.500 0 1 1-15 0 7.500 7.500 0 0 1 15 0zM80 62a7.500 7.500 0 1 1-15 0 7.500 7.500 0 0 1 15 0zM34 44h32M49 33v11',
      'M50 8l2.500 5 5.500.8-4 3.900 1 5.500-5-2.600-5 2.600 1-5.500-4-3.900 5.500-.8z',
    ],
  },
  'price-drop': {
    label: 'A price tag with an arrow down',
    paths: ['M16 40V18h22l34 34-22 22z', 'M29 31a3 3 0 1 1-6 0 3 3 0 0 1 6 0z', 'M76 14v24M67 30l9 9 9-9'],
  },
};

/** Illustration of the variant. */
export function PromptPicture({
  variant,
  className,
}: {
  variant: Brand['notificationVariant'];
  className?: string | undefined;
}): ReactNode {
  const { label, paths } = PICTURES[variant];
  return (
    <svg className={className} viewBox="0 0 96 84" role="img" aria-label={label} data-variant={variant}>
      {paths.map((path) => (
        <path
          key={path}
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}
