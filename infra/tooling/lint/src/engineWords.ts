import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of the engine, which speaks of no site. */
const ENGINE = 'shell/src/engine';

/** Words of the marketplace, also as parts of names such as `zipLookup`. */
const SITE_WORDS = /listing|vehicle|dealer|zip|marketplace|spotlight|cars?-for-sale|\bcars?\b/gi;

/** Words of other fields that contain one of them: the content coding gzip. */
const ALLOWED = /g(?:un)?zip/gi;

/** 'line: word' for each word of the marketplace in a source of the engine. */
export const siteWordsIn = (source: string): string[] =>
  source
    .split('\n')
    .flatMap((text, at) =>
      [...text.replace(ALLOWED, '').matchAll(SITE_WORDS)].map(([word]) => `${at + 1}: ${word}`),
    );

/** `npm run lint` runs this: one line for each such word, exit status 1 if there is any. */
function main(): void {
  const root = resolve(import.meta.dirname, '../../../..');
  for (const file of globSync(`${ENGINE}/**/*.{ts,tsx}`, { cwd: root }).sort())
    for (const found of siteWordsIn(readFileSync(join(root, file), 'utf8'))) {
      process.exitCode = 1;
      process.stderr.write(`${file}:${found}: the engine knows no site; use a word of any site\n`);
    }
}

if (import.meta.main) main();
