import type { ChosenRelease } from '../overrides/testerBoot.ts';

/** Buckets are 10,000, a weight is a percentage. */
const BUCKETS_PER_PERCENT = 100;

/** In words, why a page has this release of a remote. */
export function whyChosen({ why, version, canary, refused, override }: ChosenRelease): string[] {
  const reasons: string[] = [];
  if (why === 'override')
    reasons.push(`an override by ${override?.by}${override?.origin ? `, built at ${override.origin}` : ''}`);
  else if (why === 'canary' && canary)
    reasons.push(
      `the canary: bucket ${canary.bucket} is below ${canary.weight * BUCKETS_PER_PERCENT} (${canary.weight} %)`,
    );
  else reasons.push('live');
  if (why === 'live' && canary)
    reasons.push(
      `not the canary ${canary.version}: bucket ${canary.bucket} is not below ${canary.weight * BUCKETS_PER_PERCENT} (${canary.weight} %)`,
    );
  if (override && why !== 'override')
    reasons.push(
      override.failure === undefined
        ? `this browser shows the build at ${override.origin} in its place`
        : `not the override: ${override.failure}`,
    );
  if (refused && refused.version !== version)
    reasons.push(`the last good one: ${refused.version} was refused, ${refused.reason}`);
  return reasons;
}
