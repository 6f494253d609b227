// not in the cluster: starts its own services, with another isolation of releases
import { it } from 'mocha';
import { hasNamespaces, isolated } from './isolationLevels.ts';

if (hasNamespaces()) isolated('namespaces', { RELEASE_ISOLATION: 'namespaces' });
else it('stops hostile releases at the level namespaces, which this machine does not support');
