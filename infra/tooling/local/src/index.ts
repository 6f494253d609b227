export { buildAll } from './buildAll.ts';
export { type Cluster, planCluster, REPLICAS } from './cluster.ts';
export { copyRepository } from './repository.ts';
export { leanProcess } from './service.ts';
export { LocalError } from './repository.ts';
export { freePort, type Ports, type ServiceName } from './config.ts';
export { remoteNames, REPOSITORY } from './repository.ts';
export { type Replica, type Service, startService } from './service.ts';
export { carryOut, planStack, removeDataDir, type Stack, type StackOptions, startStack } from './stack.ts';
