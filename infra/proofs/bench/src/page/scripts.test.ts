import { describe, expect, it } from '@jest/globals';
import { depthOf } from './scripts.ts';

describe('depthOf', () => {
  it('is 0 without scripts and 1 when the HTML asks for all of them', () => {
    expect(depthOf([])).toBe(0);
    expect(
      depthOf([
        { path: '/a.js', askedBy: undefined },
        { path: '/b.js', askedBy: undefined },
      ]),
    ).toBe(1);
  });

  it('counts the longest chain of scripts that ask for each other', () => {
    expect(
      depthOf([
        { path: '/c.js', askedBy: '/b.js' },
        { path: '/b.js', askedBy: '/a.js' },
        { path: '/a.js', askedBy: undefined },
        { path: '/d.js', askedBy: '/a.js' },
      ]),
    ).toBe(3);
  });

  it('counts one level below an asker that is not among the scripts, and survives a circle', () => {
    expect(depthOf([{ path: '/a.js', askedBy: '/cached.js' }])).toBe(2);
    expect(
      depthOf([
        { path: '/a.js', askedBy: '/b.js' },
        { path: '/b.js', askedBy: '/a.js' },
      ]),
    ).toBe(2);
  });
});
