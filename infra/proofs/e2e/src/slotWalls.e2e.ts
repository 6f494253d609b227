import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { checkStyles } from '@forecourt/releases/checkStyles';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { classTag } from '@forecourt/releases/ownNames';
import { checkFragment } from '@forecourt/shell/engine/fragmentCheck';
import { FORDS_NEAR_CHICAGO, getPage, slotHtml } from '@forecourt/harness/serverHtml';
import { allowConsoleErrors } from './consoleErrors.ts';
import { mutatedFragments, piecesOf } from './mutatedFragments.ts';
import { mutatedStyles, ownClass, rulesOf } from './mutatedStyles.ts';
import { setViewport } from './resultsPage.ts';
import {
  accessibilityTree,
  focusLeaks,
  hitLeaks,
  picture,
  pixelLeaks,
  structureLeaks,
  treeLeaks,
} from './sceneLeaks.ts';
import { neighborOf, type Scene, SCENES, serveScenes, type ServedPage, VIEWPORT } from './scenes.ts';
import { shellOrigin } from './sharedStack.ts';

// Whatever the checks of HTML and style sheets accept stays in its slot. Not part of this: a slot's own height, which moves
// what follows, and browser code, which shares the page.

const SLOTS = [
  'showcase',
  'results',
  'filters',
  'toolbar',
  'hero',
  'location-editor',
  'related',
  'footer-ad',
];
const REMOTE = 'mfe-results';
/** Accepted scenes of contained slots, of those with a style sheet, and of slots whose layout says `overlaps`. */
const CONTAINED = 1152;
const STYLED = 576;
const OVERLAPPING = 288;
/** At a page with a pixel outside of its slot. */
const MORE_LOOKS = 10;
/** Of the generated fragments and style sheets. */
const ACCEPTED_SHARE = 1 / 3;

interface Calm {
  readonly picture: Awaited<ReturnType<typeof picture>>;
  readonly tree: Awaited<ReturnType<typeof accessibilityTree>>;
}

/** Whether the product accepts the style sheet of a release. */
function isAcceptedStyle(css: string): boolean {
  const manifest: Pick<ReleaseManifest, 'name' | 'files' | 'slots'> = {
    name: REMOTE,
    slots: {},
    files: { 'web/x.css': { bytes: css.length, integrity: '' } },
  };
  return checkStyles(manifest as ReleaseManifest, () => Buffer.from(css)).length === 0;
}

const nameAt = (index: number): string => `s${index % SCENES}`;
const placed = (text: string, name: string): string =>
  text.replaceAll('~slot~', name).replaceAll('~other~', neighborOf({ name }));

describe('a slot whose HTML and style sheets the checks accept', () => {
  let page: ServedPage;
  let pieces: string[];
  let rules: string[];
  let server: Awaited<ReturnType<typeof serveScenes>>;
  const seed = Math.floor(Math.random() * 2 ** 31);

  before(async () => {
    const { html, headers } = await getPage(shellOrigin() + FORDS_NEAR_CHICAGO);
    page = { html, policy: headers.get('content-security-policy') ?? '' };
    pieces = SLOTS.flatMap((slot) => piecesOf(slotHtml(html, slot)));
    assert.ok(pieces.length > 100, `${pieces.length} pieces of real HTML`);
    const sheets = [
      ...new Set([...html.matchAll(/\/remotes\/mfe-results\/[^"]*\.css/g)].map(([path]) => path)),
    ];
    const css = await Promise.all(sheets.map(async (path) => (await fetch(shellOrigin() + path)).text()));
    rules = css.flatMap(rulesOf);
    assert.ok(rules.length > 100, `${rules.length} rules of real style sheets`);
    server = await serveScenes(page);
    await setViewport(VIEWPORT);
  });
  after(() => server?.close());

  /** The first of the generated texts that a check accepts, as many as wanted. */
  function accepted(
    what: string,
    texts: fc.Arbitrary<string>,
    {
      wanted,
      accepts,
    }: { readonly wanted: number; readonly accepts: (text: string, index: number) => boolean },
  ): string[] {
    const all: string[] = [];
    let generated = 0;
    for (; all.length < wanted; generated += 1) {
      const [text = ''] = fc.sample(texts, { numRuns: 1, seed: seed + generated });
      if (accepts(text, all.length)) all.push(text);
    }
    process.stdout.write(`${wanted} of ${generated} ${what} were accepted, seed ${seed}\n`);
    assert.ok(
      wanted / generated >= ACCEPTED_SHARE,
      `${wanted} of ${generated} ${what} were accepted, seed ${seed}`,
    );
    return all;
  }

  const inOwn = (css: string | undefined, index: number, html: string) => {
    const name = nameAt(index);
    const owner = ownClass(classTag(REMOTE), index % SCENES);
    return css === undefined
      ? { name, html: placed(html, name) }
      : {
          name,
          html: `<div class="${owner}"><div class="${owner}">${placed(html, name)}</div></div>`,
          css: css.replaceAll('~own~', `.${owner}`),
        };
  };

  function scenesOf(wanted: number, isStyled: boolean): Scene[] {
    const styles = isStyled
      ? accepted('style sheets', mutatedStyles(rules), {
          wanted,
          accepts: (css, index) => isAcceptedStyle(inOwn(css, index, '').css ?? ''),
        })
      : [];
    const fragments = accepted('fragments', mutatedFragments(pieces), {
      wanted,
      accepts: (fragment, index) => {
        const { name, html } = inOwn(styles[index], index, fragment);
        return checkFragment(html, { slot: name, isMain: false }) === undefined;
      },
    });
    return fragments.map((fragment, index) => inOwn(styles[index], index, fragment));
  }

  const open = async (scenes: readonly Scene[], like: string) => {
    server.show(scenes, like);
    await browser.url(server.url);
  };
  const calmScenes = Array.from({ length: SCENES }, (_, index): Scene => ({ name: nameAt(index), html: '' }));

  async function openCalm(like: string): Promise<Calm> {
    await open(calmScenes, like);
    return { tree: await accessibilityTree(), picture: await picture() };
  }

  /** A busy browser may show a page before it has drawn all of it: what is wrong must stay wrong. */
  const drawnLeaks = async (calm: Calm) => {
    let leaks = pixelLeaks(await picture(), calm.picture);
    for (let look = 0; leaks.length > 0 && look < MORE_LOOKS; look += 1) {
      await browser.pause(300);
      leaks = pixelLeaks(await picture(), calm.picture);
    }
    return leaks;
  };

  async function assertInside(scenes: readonly Scene[], like: string, calm: Calm, isClipped: boolean) {
    for (let start = 0; start < scenes.length; start += SCENES) {
      const shown = scenes.slice(start, start + SCENES);
      await open(shown, like);
      const leaks = [
        ...(isClipped ? [...(await hitLeaks()), ...(await drawnLeaks(calm))] : []),
        ...treeLeaks(await accessibilityTree(), calm.tree),
        ...(await focusLeaks()),
        ...(await structureLeaks()),
      ];
      const texts = leaks.map(({ scene, what }) => {
        const { html, css = '' } = shown.find(({ name }) => name === scene) ?? { html: '' };
        return `${scene} ${what}\n${html}\n${css}`;
      });
      assert.deepEqual(texts, [], `seed ${seed}`);
    }
  }

  it('draws no pixel, takes no focus and owns no accessibility node outside, with mutated HTML', async () => {
    allowConsoleErrors(/./);
    await assertInside(scenesOf(CONTAINED, false), 'showcase', await openCalm('showcase'), true);
  });

  it('does neither with mutated style sheets', async () => {
    allowConsoleErrors(/./);
    await assertInside(scenesOf(STYLED, true), 'showcase', await openCalm('showcase'), true);
  });

  it('draws outside where the layout says that it overlaps, and does nothing else', async () => {
    allowConsoleErrors(/./);
    await assertInside(scenesOf(OVERLAPPING, true), 'toolbar', await openCalm('toolbar'), false);
  });
});
