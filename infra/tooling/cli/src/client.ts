export { publishRelease } from './publish.ts';
export { callRegistry, callShellGate, RegistryCallError } from './registryClient.ts';
export { RegistryError } from './release/errors.ts';
