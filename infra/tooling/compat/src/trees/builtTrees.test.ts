import { describe, expect, it } from '@jest/globals';
import { firstMismatch } from './builtTrees.ts';

const locked = {
  '': {},
  'mfe-tiny': { version: '1.0.0' },
  'node_modules/react': { version: '19.3.1' },
  'node_modules/swc-darwin': { version: '1.0.0', optional: true },
  'node_modules/@forecourt/mfe-tiny': { link: true },
};

describe('firstMismatch', () => {
  it('accepts packages in the locked versions, ignoring other platforms', () => {
    const installed = {
      'node_modules/react': { version: '19.3.1' },
      'node_modules/more': { version: '2.0.0' },
    };
    expect(firstMismatch(locked, installed)).toBeUndefined();
  });

  it('rejects a missing package or another version', () => {
    expect(firstMismatch(locked, {})).toBe('node_modules/react');
    expect(firstMismatch(locked, { 'node_modules/react': { version: '18.0.0' } })).toBe('node_modules/react');
    const odd = {
      'node_modules/react': { version: '19.3.1' },
      'node_modules/swc-darwin': { version: '2.0.0' },
    };
    expect(firstMismatch(locked, odd)).toBe('node_modules/swc-darwin');
  });
});
