import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import contract from '@forecourt/shared-contracts/package.json' with { type: 'json' };

it('imports exactly the modules that the contract lists as shared', () => {
  const source = readFileSync(new URL('./main.ts', import.meta.url), 'utf8');
  const imported = [...source.matchAll(/^ {2}\(\) => import\(.* '([^.].+)'\),$/gm)].map(
    ([, module]) => module,
  );
  expect(imported.sort()).toEqual([...contract.forecourt.sharedModules].sort());
});
