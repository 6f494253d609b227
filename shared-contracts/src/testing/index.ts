export { buildChip, buildListing, buildOwner, buildState, testReference } from './builders.ts';
export { defineScenarios, moduleOf, mountScenario, type Scenario } from './scenarios.tsx';
export { emitEvent, press, typeInto, waitFor, withSteps } from './steps.tsx';
export { createTestEnvironment, mountInTestShell, type TestCalls } from './testEnvironment.tsx';
