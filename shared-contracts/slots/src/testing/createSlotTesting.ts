import type { SlotModule } from '../defineSlot.ts';
import { type MountedScenario, mountScenario, type Scenario } from './scenarios.tsx';
import {
  createTestEnvironment,
  mountInTestShell,
  type TestedSite,
  type TestEnvironment,
  type TestShell,
} from './testEnvironment.tsx';

type Options<Mount extends (site: TestedSite, module: SlotModule, options?: never) => unknown> =
  Parameters<Mount>[2];

/** The test functions of one site. Its contract package annotates its exports by them, so that their types can be published. */
export interface SlotTesting {
  readonly createTestEnvironment: (
    module: SlotModule,
    options?: Options<typeof createTestEnvironment>,
  ) => TestEnvironment;
  readonly mountInTestShell: (module: SlotModule, options?: Options<typeof mountInTestShell>) => TestShell;
  readonly mountScenario: (scenario: Scenario) => Promise<MountedScenario>;
}

/** The test functions of one site; its contract package exports them. */
export const createSlotTesting = (site: TestedSite): SlotTesting => ({
  createTestEnvironment: (module, options) => createTestEnvironment(site, module, options),
  mountInTestShell: (module, options) => mountInTestShell(site, module, options),
  mountScenario: (scenario) => mountScenario(site, scenario),
});
