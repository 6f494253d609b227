// not in the cluster: starts its own services, with another isolation of releases
import assert from 'node:assert/strict';
import { it } from 'mocha';
import {
  LEVEL_FIXTURES,
  FIXTURES,
  hasNamespaces,
  isolated,
  isStoppedBySandbox,
  withStack,
} from './isolationLevels.ts';

isolated('process', { RELEASE_ISOLATION: 'process' }, hasNamespaces() ? LEVEL_FIXTURES : FIXTURES);

const INLINE = FIXTURES.filter((fixture) => isStoppedBySandbox(fixture) && fixture.outcome === 'contained');

withStack('without isolation a hostile release', { RELEASE_ISOLATION: 'none' }, INLINE, (runAttack) => {
  for (const hostile of INLINE)
    it(`does not stop the attack ${hostile.name} without isolation`, async () => {
      assert.match((await runAttack(hostile)).shown.join(), /LOOT/);
    });
});
