/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { ReleasesTab, whyChosen } from './Releases.tsx';

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

describe('a release of the page', () => {
  const chosen = [{ remote: 'mfe-shelf', version: '1.4.0', why: 'live' }] as const;

  it('is a link to its page in the control room, which is told where it came from', () => {
    render(<ReleasesTab chosen={chosen} room="https://registry.example/room" />);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: '1.4.0' });
    const { origin, pathname, searchParams } = new URL(link.href);
    expect(origin + pathname).toBe('https://registry.example/room/mfe-shelf/1.4.0');
    expect(searchParams.get('page')).toBe(window.location.href);
  });

  it('is no link when the shell does not know the control room', () => {
    render(<ReleasesTab chosen={chosen} />);
    expect(screen.queryByRole('link')).toBeNull();
  });
});
