import { describe, expect, it } from '@jest/globals';
import { explainSlot } from './explainSlot.ts';

const slot = (name: string, remote: string | null, rendered: string, changes: object = {}) => ({
  slot: name,
  remote,
  rendered,
  hydrate: 'load',
  ...changes,
});
const BOOT = {
  slots: [
    slot('results', 'mfe-results', 'fallback'),
    slot('spin', 'mfe-results', 'release', { hydrate: 'visible' }),
    slot('map', 'mfe-maps', 'none', { frame: { version: '2.0.0' } }),
    slot('hero', null, 'release'),
    slot('gone', 'mfe-gone', 'none'),
  ],
  remotes: [{ name: 'mfe-results', version: '1.5.0' }],
};
const READINESS = {
  status: 'ready',
  releases: { 'mfe-results': '1.4.0' },
  failing: { 'mfe-results@1.5.0': { results: 'DEADLINE' } },
  refused: { 'mfe-results@1.6.0': [{ rule: 'SIZE', expected: 'less', found: '5 MB', remedy: 'split it' }] },
};
const page = (boot: object, outcome = 'hit') => ({
  status: 200,
  headers: { 'server-timing': `page;desc="${outcome}", request;desc="r1"` },
  html: `<!doctype html><script type="application/json" id="fc-boot">${JSON.stringify(boot)}</script>`,
  readiness: READINESS,
});

describe('why a slot looks as it does', () => {
  it('is its release, how the page and the slot were made, and what failed', () => {
    expect(explainSlot('results', page(BOOT))).toEqual([
      'page: status 200, from the cache of pages',
      'release: mfe-results@1.5.0',
      'rendering: it shows the plain rendering of the site: its release failed, missed its deadline, or is missing',
      "browser: becomes interactive at 'load'",
      'choice: 1.4.0 is live; this visitor has the canary, an override or an older kept page',
      "failure: DEADLINE within the last minute; the shell's log has the reason",
      'refused: mfe-results@1.6.0: SIZE, 5 MB',
    ]);
  });

  it('names a frame, the shell itself, and a remote without a live release', () => {
    expect(explainSlot('map', page(BOOT))).toContain('release: mfe-maps@2.0.0, in a frame');
    expect(explainSlot('hero', page(BOOT, 'own')).slice(0, 2)).toEqual([
      'page: status 200, made for this request alone',
      'release: the shell itself',
    ]);
    expect(explainSlot('gone', page(BOOT))).toContain('choice: no release of mfe-gone is live in this shell');
  });

  it('is that it is in another page, or that there is no page', () => {
    expect(explainSlot('compare', page(BOOT)).at(-1)).toBe(
      'slot compare is not in the layout of this page, which has results, spin, map, hero, gone',
    );
    expect(explainSlot('results', { ...page(BOOT), html: 'Not found', status: 404 })).toEqual([
      'page: status 404, from the cache of pages',
      'the response is no composed page',
    ]);
  });
});
