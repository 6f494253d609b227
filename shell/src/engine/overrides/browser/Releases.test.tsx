import { describe, expect, it } from '@jest/globals';
import { whyChosen } from './Releases.tsx';

describe('reasons for a chosen release', () => {
  const release = { remote: 'mfe-shelf', version: '1.4.0' } as const;
  const canary = { version: '1.5.0', weight: 5, bucket: 499 };
  it.each([
    [{ ...release, why: 'live' }, ['live']],
    [{ ...release, version: '1.5.0', why: 'canary', canary }, ['the canary: bucket 499 is below 500 (5 %)']],
    [
      { ...release, why: 'live', canary: { ...canary, bucket: 500 } },
      ['live', 'not the canary 1.5.0: bucket 500 is not below 500 (5 %)'],
    ],
    [
      { ...release, why: 'live', refused: { version: '1.5.0', reason: 'needs react ^18' } },
      ['live', 'the last good one: 1.5.0 was refused, needs react ^18'],
    ],
    [{ ...release, why: 'override', override: { until: 0, by: 'dana' } }, ['an override by dana']],
    [
      { ...release, why: 'live', override: { until: 0, by: 'dana', failure: 'status 404' } },
      ['live', 'not the override: status 404'],
    ],
  ] as const)('are described: %#', (chosen, reasons) => expect(whyChosen(chosen)).toEqual(reasons));
});
