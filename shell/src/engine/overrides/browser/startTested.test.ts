/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { BootData, BootSlot } from '../../universal/bootData.ts';
import type { TesterBoot } from '../universal/testerBoot.ts';
import { bootWithLocalBuilds } from './startTested.ts';

afterEach(() => document.body.replaceChildren());

const TESTER: TesterBoot = {
  hasDevtools: true,
  followsBuilds: false,
  isLocal: false,
  inBrowser: [],
  chosen: [],
  slots: [],
};

describe('local build', () => {
  const slot = (changes: Partial<BootSlot>): BootSlot => ({
    slot: 'reviews',
    remote: 'mfe-reviews',
    expose: './reviews',
    hydrate: 'idle',
    wakes: [],
    emits: '',
    hears: '',
    rendered: 'release',
    data: { of: 'the live release' },
    styles: [],
    scripts: [],
    ...changes,
  });
  const boot = {
    state: {},
    requestId: 'x',
    slots: [slot({}), slot({ slot: 'shelf', remote: 'mfe-shelf' })],
    remotes: [{ name: 'mfe-reviews', version: '1.0.0', entry: '/remotes/x', integrity: {} }],
    extension: {
      name: 'tester',
      data: { ...TESTER, inBrowser: [{ remote: 'mfe-reviews', origin: 'http://localhost:5001' }] },
    },
  } as unknown as BootData;
  const build = {
    remote: {
      name: 'mfe-reviews',
      version: '2.0.0',
      entry: 'http://localhost:5001/web/remoteEntry.js',
      integrity: {},
    },
    slots: [slot({ rendered: 'none', data: undefined, scripts: ['http://localhost:5001/web/slots.js'] })],
  };
  const answering = (manifest: () => Response, gate: () => Response) => {
    const ask = jest.fn((url: string) => Promise.resolve(url.startsWith('http') ? manifest() : gate()));
    Object.assign(globalThis, { fetch: ask });
    return ask;
  };
  const banner = () => {
    document.body.innerHTML =
      '<ul><li data-override="mfe-reviews" data-state="used"><span id="fc-override-mfe-reviews">shows it</span></li></ul>';
    return document.querySelector('li') as HTMLElement;
  };

  it('replaces the live release and renders its slots without hydration', async () => {
    answering(
      () => new Response('{}'),
      () => Response.json(build),
    );
    const { remotes, slots } = await bootWithLocalBuilds(boot);
    expect(remotes).toEqual([build.remote]);
    expect(slots).toEqual([{ ...build.slots[0], rendered: 'fallback' }, boot.slots[1]]);
  });

  it.each([
    [
      'is not served',
      () => new Response('', { status: 404 }),
      () => Response.json(build),
      'returned status 404',
    ],
    ['is endless', () => new Response('x'.repeat(300_000)), () => Response.json(build), 'longer than'],
    [
      'is refused by the gate',
      () => new Response('{}'),
      () => Response.json({ error: { message: 'needs react ^18' } }, { status: 422 }),
      'needs react ^18',
    ],
  ])('leaves the live release with a reason in the banner when it %s', async (_, manifest, gate, reason) => {
    answering(manifest, gate);
    const line = banner();
    expect(await bootWithLocalBuilds(boot)).toBe(boot);
    expect(line.dataset['state']).toBe('failed');
    expect(line.textContent).toContain(reason);
  });
});
