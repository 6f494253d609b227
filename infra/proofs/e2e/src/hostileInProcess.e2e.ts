import assert from 'node:assert/strict';
import { it } from 'mocha';
import { CODE_FIXTURES, FIXTURES, hasNamespaces, isolated, withStack } from './isolationLevels.ts';

isolated('process', { RELEASE_SANDBOX: 'process' }, hasNamespaces() ? CODE_FIXTURES : FIXTURES);

withStack('without isolation a hostile release', { SLOT_RENDERER: 'inline' }, (runAttack) => {
  for (const hostile of FIXTURES.filter(
    ({ stoppedBy, outcome }) => ['process', 'namespaces'].includes(stoppedBy) && outcome === 'contained',
  ))
    it(`does not stop the attack ${hostile.name} without isolation`, async () => {
      assert.match((await runAttack(hostile)).slotContent, /LOOT/);
    });
});
