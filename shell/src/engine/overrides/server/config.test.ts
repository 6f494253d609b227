import { describe, expect, it } from '@jest/globals';
import { readLibraryConfig } from '../../testing/libraryPlan.ts';
import { TESTER_KEYS } from './config.ts';

describe('tester configuration', () => {
  it('accepts only full origins for builds and only long override keys', () => {
    expect(
      readLibraryConfig({ OVERRIDE_ORIGINS: 'http://localhost:5001, https://builds.example' }, TESTER_KEYS),
    ).toMatchObject({ OVERRIDE_ORIGINS: ['http://localhost:5001', 'https://builds.example'] });
    for (const text of [
      'http://builds.example',
      'https://builds.example/x',
      'https://user@builds.example',
      '*',
    ])
      expect(() => readLibraryConfig({ OVERRIDE_ORIGINS: text }, TESTER_KEYS)).toThrow(
        `OVERRIDE_ORIGINS: '${text}'`,
      );
    expect(() => readLibraryConfig({ OVERRIDE_KEY: 'short' }, TESTER_KEYS)).toThrow(
      'OVERRIDE_KEY: must have 32',
    );
  });
});
