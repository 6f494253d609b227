/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { serverTimingOf } from '../universal/responseFacts.ts';
import { fetchDictionary } from './fetchDictionary.ts';

const links = () =>
  [...document.querySelectorAll('link')].map((link) => [link.rel, link.getAttribute('href')]);

/** The page's response has this Server-Timing. */
function respond(header: string | undefined): void {
  const serverTiming = header
    ?.split(', ')
    .map((metric) => /^(.*);desc="(.*)"$/.exec(metric))
    .map((match) => ({ name: match?.[1], description: match?.[2] }));
  Object.assign(performance, { getEntriesByType: () => [{ serverTiming }] });
}

describe('fetchDictionary', () => {
  afterEach(() => {
    document.head.innerHTML = '';
  });

  it('links the dictionary that the response names', () => {
    respond(serverTimingOf('hit', { requestId: 'r', failureClaim: 'c', dictionary: 'aBc-_1' }));
    fetchDictionary();
    expect(links()).toEqual([['compression-dictionary', '/assets/dictionary/aBc-_1']]);
  });

  it('does nothing if the response names none, or the browser has no Server-Timing', () => {
    for (const header of [serverTimingOf('hit', { requestId: 'r', failureClaim: '' }), undefined]) {
      respond(header);
      fetchDictionary();
    }
    expect(links()).toEqual([]);
  });
});
