import type { GatePage } from '@forecourt/releases/gatePages';
import { CALLS, type CallDefinition } from '@forecourt/upstream/calls';
import { gatePages } from '../../engine/releases/gatePages.ts';
import { PAGE_LAYOUTS } from '../layouts.ts';
import { recordedPages } from './pages.ts';

/** The recorded pages as the gate of a build uses them, without a running shell. */
export const marketplaceGatePages = (): readonly GatePage[] =>
  gatePages({
    layouts: PAGE_LAYOUTS,
    calls: CALLS as Readonly<Record<string, CallDefinition>>,
    recordedPages,
  });
