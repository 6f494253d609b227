import { describe, expect, it } from '@jest/globals';
import { integrityOf, unguardedScripts, unlinkedStyles } from './buildRelease.ts';

const release = (sources: Record<string, string>) => {
  const files = Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [
      path,
      { integrity: integrityOf(Buffer.from(source)), bytes: source.length },
    ]),
  );
  const entry = { web: 'web/remoteEntry.js', node: 'node/remoteEntry.cjs' };
  return unguardedScripts({ files, entry }, (path) => sources[path] ?? '');
};
const LATER = '// later';

describe('unguardedScripts', () => {
  it('returns nothing when another script contains the integrity of each script', () => {
    const slots = `sriHashes={later:'${integrityOf(Buffer.from(LATER))}'}`;
    const entry = `sriHashes={slots:'${integrityOf(Buffer.from(slots))}'}`;
    expect(release({ 'web/remoteEntry.js': entry, 'web/slots.js': slots, 'web/later.js': LATER })).toEqual(
      [],
    );
  });

  it('returns a script that is loaded without integrity, and ignores styles and server files', () => {
    const sources = {
      'web/remoteEntry.js': "load('later')",
      'web/later.js': LATER,
      'web/slots.css': 'a{}',
      'node/later.cjs': LATER,
    };
    expect(release(sources)).toEqual(['web/later.js']);
  });
});

describe('unlinkedStyles', () => {
  const slot = (styles: string[]) => ({ expose: './tiny', reads: [], loads: false, scripts: [], styles });
  const unlinked = (...styles: string[]) =>
    unlinkedStyles({
      files: Object.fromEntries(
        ['web/slots.js', 'web/slots.css', 'web/lazy.css'].map((path) => [path, { integrity: '', bytes: 1 }]),
      ),
      slots: { tiny: slot(styles.slice(0, 1)), other: slot(styles.slice(1)) },
    });

  it('returns nothing when a slot lists each style sheet', () => {
    expect(unlinked('web/slots.css', 'web/lazy.css')).toEqual([]);
  });

  it('returns the styles that only a lazy module imports', () => {
    expect(unlinked('web/slots.css')).toEqual(['web/lazy.css']);
    expect(unlinked()).toEqual(['web/slots.css', 'web/lazy.css']);
  });
});
