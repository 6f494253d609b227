export { createSlotTesting, type SlotTesting } from './createSlotTesting.ts';
export { defineScenarios, moduleOf, type Scenario } from './scenarios.tsx';
export { emitEvent, press, typeInto, waitFor, withSteps } from './steps.tsx';
export type { TestCalls, TestedSite } from './testEnvironment.tsx';
