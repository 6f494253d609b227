/** The scenarios of the remote that the page is built for; the build resolves this module. */
declare module 'remote/scenarios' {
  import type { Scenario } from '@forecourt/slots/testing';
  const scenarios: readonly Scenario[];
  export default scenarios;
}
