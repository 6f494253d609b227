import { Histogram, type Registry } from 'prom-client';

/** Measured by real visits: what `name` may be, and the unit of its value as browsers report it. */
const TIMES = ['LCP', 'INP', 'TTFB', 'FCP'] as const;

/** Records a web vital that a browser reports; anything else is not one. Times come in ms, CLS is a ratio. */
export function createWebVitalMetrics(registry: Registry): (name: string, value: number) => void {
  const seconds = new Histogram({
    name: 'forecourt_web_vital_seconds',
    help: 'LCP, INP, FCP and TTFB of real visits, in seconds',
    labelNames: ['name'],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 8],
    registers: [registry],
  });
  const shift = new Histogram({
    name: 'forecourt_web_vital_layout_shift',
    help: 'Cumulative Layout Shift (CLS) of real visits, a ratio',
    buckets: [0, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  return (name, value) => {
    if (name === 'CLS') shift.observe(value);
    else if (TIMES.some((time) => time === name)) seconds.observe({ name }, value / 1000);
  };
}
