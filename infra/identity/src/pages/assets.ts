import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';

export interface PageAssets {
  readonly styleUrl: string;
  readonly signOutScriptUrl: string;
  readonly routes: Router;
}

const read = (url: string | URL) => readFileSync(fileURLToPath(url), 'utf8');

/** The pages' own files, served below the hash of their content: they may be kept for ever. */
export function createPageAssets(): PageAssets {
  const files = [
    {
      name: 'page.css',
      type: 'text/css',
      text:
        read(import.meta.resolve('@forecourt/shared-contracts/ui/tokens.css')) +
        read(new URL('./page.css', import.meta.url)),
    },
    { name: 'signOut.js', type: 'text/javascript', text: read(new URL('./signOut.js', import.meta.url)) },
  ].map((file) => ({
    ...file,
    url: `/assets/${createHash('sha256').update(file.text).digest('hex').slice(0, 12)}/${file.name}`,
  }));
  const routes = Router();
  for (const { url, type, text } of files)
    routes.get(url, (_, response) => {
      response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text);
    });
  const urlOf = (wanted: string) => files.find(({ name }) => name === wanted)?.url ?? '';
  return { styleUrl: urlOf('page.css'), signOutScriptUrl: urlOf('signOut.js'), routes };
}
