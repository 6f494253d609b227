import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';

export interface PageAsset {
  readonly url: string;
  /** Subresource Integrity. */
  readonly integrity: string;
}

export interface PageAssets {
  readonly style: PageAsset;
  readonly signOutScript: PageAsset;
  readonly routes: Router;
}

const read = (url: string | URL) => readFileSync(fileURLToPath(url), 'utf8');

const fileOf = (name: string, type: string, text: string) => ({
  type,
  text,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
  url: `/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}/${name}`,
});

/** The pages' own files, served below the hash of their content: they may be kept for ever. */
export function createPageAssets(): PageAssets {
  const tokens = read(import.meta.resolve('@forecourt/shared-contracts/ui/tokens.css'));
  const style = fileOf('page.css', 'text/css', tokens + read(new URL('./page.css', import.meta.url)));
  const signOutScript = fileOf(
    'signOut.js',
    'text/javascript',
    read(new URL('./signOut.js', import.meta.url)),
  );
  const routes = Router();
  for (const { url, type, text } of [style, signOutScript])
    routes.get(url, (_, response) => {
      response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text);
    });
  return { style, signOutScript, routes };
}
