export * from '@forecourt/search/testing';
export {
  defineScenarios,
  emitEvent,
  moduleOf,
  press,
  type Scenario,
  type TestCalls,
  typeInto,
  waitFor,
  withSteps,
} from '@forecourt/slots/testing';
