import { describe, it, expect } from '@jest/globals';
import { TRIM_SPEC_IDS, TRIM_SPECS } from './trimSpecs.ts';

describe('the specs of a trim', () => {
  // rows: B3-SPEC-04, B3-SPEC-05, B3-SPEC-06, B3-SPEC-07, B3-SPEC-08, B3-SPEC-09, B3-SPEC-10, B3-SPEC-11
  // rows: B3-SPEC-12
  it('are known by their ids', () => {
    expect(TRIM_SPEC_IDS.map((id) => [id, TRIM_SPECS[id]])).toEqual([
      [546, expect.stringMatching(/heated seats/i)],
      [561, expect.stringMatching(/leather/i)],
      [610, expect.stringMatching(/rearview camera/i)],
      [170, expect.stringMatching(/bluetooth/i)],
      [160, expect.stringMatching(/alarm/i)],
      [557, expect.stringMatching(/lane departure/i)],
      [236, expect.stringMatching(/navigation/i)],
      [615, expect.stringMatching(/remote start/i)],
      [578, expect.stringMatching(/sunroof/i)],
    ]);
    expect(Object.keys(TRIM_SPECS)).toHaveLength(TRIM_SPEC_IDS.length);
  });
});
