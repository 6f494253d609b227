import { releaseFilePath } from '@forecourt/releases/manifest';
import type { RequestHandler } from 'express';
import { FRAME_ELEMENT_ID, type FrameData } from '../universal/bootData.ts';
import { slotElementId, slotTitle } from '../universal/slotElements.ts';
import { bootRemote } from '../compose/boot.ts';
import { styleLinks } from '../compose/slotMarkup.ts';
import { escapeHtml, inlineStyle, jsonForScript, type InlineElement } from '../compose/html.ts';
import type { ShellAssets } from '../compose/shellAssets.ts';
import { SHELL_FILES } from '../universal/paths.ts';
import { policyNames } from '../http/contentPolicy.ts';
import { originOf } from '../http/requestContext.ts';
import { sendError } from '../http/responses.ts';
import type { PageLayouts } from '../layout/permissions.ts';
import { releaseFileLink, releaseFileUrl, type FileLink, type LoadedRelease } from '../rendering/release.ts';

/**
 * Scripts and styles of the shell and of this one release, whose bytes the shell has verified; no connections, frames,
 * forms or plugins. The sandbox holds without the parent's attribute, too.
 */
const policyOf = ({ manifest: { name, version } }: LoadedRelease, origin: string, files: Files): string => {
  const own = origin + releaseFilePath(name, version, 'web/');
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${origin}${SHELL_FILES}/${files.build}/ ${own}`,
    `style-src ${files.styleHash} ${own}`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${origin} data:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policyNames([name])}`,
  ].join('; ');
};

interface Files {
  readonly build: string;
  readonly styleHash: string;
}

function documentOf(
  data: FrameData,
  { entry, style, styles }: { entry: FileLink; style: InlineElement; styles: readonly FileLink[] },
): string {
  return (
    `<!doctype html><html lang="en" style="scrollbar-gutter:auto"><head><meta charset="utf-8"><title>${escapeHtml(slotTitle(data.slot))}</title>` +
    '<meta name="robots" content="noindex">' +
    `${style.html}${styleLinks(styles)}` +
    `<script defer src="${escapeHtml(entry.url)}" integrity="${entry.integrity}" crossorigin="anonymous"></script></head>` +
    `<body style="margin:0;background:none"><div id="${slotElementId(data.slot)}" style="display:flow-root"></div>` +
    `<script type="application/json" id="${FRAME_ELEMENT_ID}">${jsonForScript(data)}</script></body></html>`
  );
}

/**
 * `GET /frames/{slot}/{remote}/{version}`: the document in which the browser code of a slot with `isolation: 'frame'` runs.
 * It has the visitor's cookies neither in its scripts nor in its requests, because its origin is opaque.
 */
export function framePage(deps: {
  readonly assets: ShellAssets;
  readonly layouts: PageLayouts;
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
}): RequestHandler<{ slot: string; remote: string; version: string }> {
  const { assets, layouts, find } = deps;
  const style = inlineStyle(assets.css);
  const framed = Object.values(layouts)
    .flat()
    .filter(({ isolation }) => isolation === 'frame');
  return (request, response) => {
    const { slot, remote, version } = request.params;
    const isPlaced = framed.some(
      (one) => one.slot === slot && one.source !== 'shell' && one.source.remote === remote,
    );
    const release = isPlaced ? find(remote, version) : undefined;
    const declaration =
      release && Object.hasOwn(release.manifest.slots, slot) && release.manifest.slots[slot];
    if (!release || !declaration) return sendError(response, 404, 'NOT_FOUND', 'no such frame');
    const data: FrameData = {
      slot,
      expose: declaration.expose,
      scripts: declaration.scripts.map((path) => releaseFileUrl(release, path)),
      remote: bootRemote(release),
    };
    const styles = declaration.styles.map((path) => releaseFileLink(release, path));
    response.set({
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy': policyOf(release, originOf(request), {
        build: assets.build,
        styleHash: style.hash,
      }),
    });
    return response.type('html').send(documentOf(data, { entry: assets.entry, style, styles }));
  };
}
