import { mean, quantile } from '../report/statistics.ts';

/** All in ms. */
export interface Timings {
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

export const timingsOf = (times: readonly number[]): Timings => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  mean: mean(times),
});
