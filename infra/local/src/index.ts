export { buildAll } from './buildAll.ts';
export { LocalError } from './localError.ts';
export type { Ports, ServiceName } from './ports.ts';
export { REPOSITORY } from './repository.ts';
export { type Service, startService } from './service.ts';
export { removeDataDir, type Stack, type StackOptions, startStack } from './stack.ts';
