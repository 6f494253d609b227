import type { ReactNode } from 'react';
import { Panel } from './Panel.tsx';
import styles from './Features.module.css';

export function Features({ features }: { features: readonly string[] }): ReactNode {
  if (features.length === 0) return null;
  return (
    <Panel headingId="features-title" heading="Features">
      <ul className={styles['features']}>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </Panel>
  );
}
