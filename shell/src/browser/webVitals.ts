import type { Metric } from 'web-vitals';
import type { PageEvents } from './pageEvents.ts';

/** Records the field's page metrics: CLS is a ratio, the others are ms. */
export async function recordWebVitals({ record }: PageEvents): Promise<void> {
  const { onCLS, onINP, onLCP, onTTFB } = await import('web-vitals');
  const report = ({ name, value, rating }: Metric) => record({ type: 'web-vital', name, value, rating });
  for (const observe of [onLCP, onINP, onCLS, onTTFB]) observe(report);
}
