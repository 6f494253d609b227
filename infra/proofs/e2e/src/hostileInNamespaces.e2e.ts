import { it } from 'mocha';
import { hasNamespaces, isolated } from './isolationLevels.ts';

if (hasNamespaces()) isolated('namespaces', { RELEASE_ISOLATION: 'namespaces' });
else it('stops hostile releases at the level namespaces, which this machine does not support');
