import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shellOrigin } from './sharedStack.ts';

/** What is tried in one slot. */
export interface Scene {
  /** As a slot's name. */
  readonly name: string;
  readonly html: string;
  /** A style sheet of the slot's release. */
  readonly css?: string;
}

/** What scenes take from a page of the shell, as its server sent it. */
export interface ServedPage {
  readonly html: string;
  readonly policy: string;
}

/** Scenes of one page, and of one row. */
export const SCENES = 96;
const COLUMNS = 6;
/** px. The slot's content is clipped at this size, so that it has more than its box shows. */
const PLACE_HEIGHT = 40;
export const VIEWPORT = { width: 1280, height: 1840 } as const;

const STYLES = `
.scenes{display:grid;grid-template-columns:repeat(${COLUMNS},195px);justify-content:space-between;counter-reset:part}
.scene{block-size:108px;margin:0}
.place{block-size:${PLACE_HEIGHT}px;margin:8px 20px}
.place>.fc-slot{max-block-size:${PLACE_HEIGHT}px}
.witness{display:flex;gap:4px;align-items:center;block-size:20px;overflow:hidden;white-space:nowrap;font-size:8px;background:#fff;counter-increment:list-item}
.witness *{margin:0;padding:0;border:0;min-block-size:0;font-size:8px;line-height:12px}
.witness::before{content:counter(list-item) "." counter(part)}
details summary+*{display:none}`;

/** The tag that opens a slot's element on a page, with another name. */
function openTag({ html }: ServedPage, like: string, name: string): string {
  const tag = new RegExp(`<div id="slot-${like}"[^>]*>`).exec(html)?.[0];
  if (tag === undefined) throw new Error(`no slot ${like} on the page`);
  // Where a frame assigns slots to a shadow root, there is none here.
  return tag
    .replaceAll(`"${like}"`, `"${name}"`)
    .replace(`slot-${like}`, `slot-${name}`)
    .replace(/ slot="[^"]*"/, '');
}

/** A neighbor's name; ids of its elements begin with it. */
export const neighborOf = ({ name }: Pick<Scene, 'name'>): string => name.replace(/^s/, 'o');

/** The slot between elements of the page's frame and a neighboring slot. */
function sceneHtml(page: ServedPage, scene: Scene, like: string): string {
  const other = neighborOf(scene);
  return (
    `<section class="scene"><div class="witness"><button type="button" id="${other}-a">before ${other}</button>` +
    `<input type="radio" name="${other}-choice" checked aria-label="choice">` +
    `<details name="${other}-part" open><summary>part</summary></details></div>` +
    `<div class="place">${openTag(page, like, scene.name)}${scene.html}</div></div>` +
    `${openTag(page, 'footer-ad', other)}<div class="witness"><ul id="${other}-list"><li>item</li></ul><q>quoted</q>` +
    `<form id="${other}-form"><input aria-label="field" value="x"></form></div></div></section>`
  );
}

const linksOf = ({ html }: ServedPage): string =>
  [...new Set([...html.matchAll(/<link rel="stylesheet"[^>]*>/g)].map(([link]) => link))].join('');

/** A page of the shell with scenes in place of its slots. `like` is the slot whose element they get. */
const scenesHtml = (page: ServedPage, scenes: readonly Scene[], like: string): string =>
  page.html.slice(0, page.html.indexOf('<main')).replaceAll(/<script[^]*?<\/script>/g, '') +
  `<main class="fc-main" id="main"><link rel="stylesheet" href="/scenes.css">${linksOf(page)}<div class="scenes">` +
  scenes
    .map(
      (scene) =>
        (scene.css === undefined ? '' : `<link rel="stylesheet" href="/${scene.name}.css">`) +
        sceneHtml(page, scene, like),
    )
    .join('') +
  '</div></main></body></html>';

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="900" height="900"><rect width="9" height="9" fill="red"/></svg>';

/** Serves scenes at `/`, under the policy of the page that they were made of; styles come from the shell. */
export async function serveScenes(page: ServedPage) {
  let shown: { readonly html: string; readonly scenes: readonly Scene[] } = { html: '', scenes: [] };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const css =
      pathname === '/scenes.css' ? STYLES : shown.scenes.find(({ name }) => pathname === `/${name}.css`)?.css;
    if (pathname === '/')
      return response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .setHeader('content-security-policy', page.policy)
        .end(shown.html);
    if (css !== undefined) return response.setHeader('content-type', 'text/css; charset=utf-8').end(css);
    if (pathname.endsWith('.css'))
      return void fetch(shellOrigin() + pathname)
        .then(async (styles) => response.setHeader('content-type', 'text/css').end(await styles.text()))
        .catch((error: unknown) => response.destroy(error as Error));
    return response.setHeader('content-type', 'image/svg+xml').end(PICTURE);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    show(scenes: readonly Scene[], like: string): void {
      shown = { html: scenesHtml(page, scenes, like), scenes };
    },
    close: () => server.close(),
  };
}
