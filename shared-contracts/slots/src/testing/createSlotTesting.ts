import type { SlotModule } from '../defineSlot.ts';
import { mountScenario, type Scenario } from './scenarios.tsx';
import { createTestEnvironment, mountInTestShell, type TestedSite } from './testEnvironment.tsx';

type Options<Mount extends (site: TestedSite, module: SlotModule, options?: never) => unknown> =
  Parameters<Mount>[2];

/** The test functions of one site; its contract package exports them. */
export const createSlotTesting = (site: TestedSite) => ({
  createTestEnvironment: (module: SlotModule, options?: Options<typeof createTestEnvironment>) =>
    createTestEnvironment(site, module, options),
  mountInTestShell: (module: SlotModule, options?: Options<typeof mountInTestShell>) =>
    mountInTestShell(site, module, options),
  mountScenario: (scenario: Scenario) => mountScenario(site, scenario),
});
