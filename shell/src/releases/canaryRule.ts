/** Outcomes of one release within a stretch of time. */
export interface ReleaseHealth {
  readonly good: number;
  readonly bad: number;
}

/** Fewer failures are no evidence, whatever their share. */
const MIN_FAILURES = 5;
/** A difference below this share is not worth a rollback. */
const MIN_DIFFERENCE = 0.02;
/** One-sided; about three false alarms in 100,000 looks at equally good releases. */
const MIN_Z = 4;

/**
 * Is the canary clearly worse than the live release? Both shares of failures
 * are compared by a two-proportion z-test, so that a few unlucky renders of a
 * small canary end nothing, and a canary that fails always ends within seconds.
 */
export function isClearlyWorse(canary: ReleaseHealth, live: ReleaseHealth): boolean {
  const canaryTotal = canary.good + canary.bad;
  // One good and one bad render stand for what is not known yet of a live release that nobody asked for.
  const liveTotal = live.good + live.bad + 2;
  const liveBad = live.bad + (live.bad === 0 ? 0 : 1);
  if (canary.bad < MIN_FAILURES) return false;
  const canaryShare = canary.bad / canaryTotal;
  const liveShare = liveBad / liveTotal;
  if (canaryShare - liveShare < MIN_DIFFERENCE) return false;
  const pooled = (canary.bad + liveBad) / (canaryTotal + liveTotal);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / canaryTotal + 1 / liveTotal));
  // Every single render of both failed: the canary is not what is wrong.
  if (error === 0) return false;
  return (canaryShare - liveShare) / error >= MIN_Z;
}
