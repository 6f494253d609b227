import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import search from '@forecourt/search/package.json' with { type: 'json' };
import slots from '@forecourt/slots/package.json' with { type: 'json' };

it('imports exactly the modules that the contracts list as shared', () => {
  const source = ['./main.ts', './engine/browser/evaluateInSteps.ts']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n');
  const imported = [...source.matchAll(/^ +'?([^ ']+)'?: \(\) => import\(/gm)].map(([, module]) => module);
  expect(imported.sort()).toEqual(
    [...search.forecourt.sharedModules, ...slots.forecourt.sharedModules].sort(),
  );
});
