/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mockCreatives } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { adRequest } from './AdFrame.tsx';

beforeEach(() => {
  prepareViewport();
  mockCreatives();
});

afterEach(() => void jest.restoreAllMocks());

describe('adRequest', () => {
  it('requests an ad without targeting when the upstream sends none', () => {
    expect(adRequest('footer', [320, 50], 2, {})).toEqual({
      slot: 'footer',
      size: '320x50',
      't.page': 'results',
      n: '2',
    });
  });
});
