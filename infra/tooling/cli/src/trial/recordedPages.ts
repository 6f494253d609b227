import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GatePage, gatePagesSchema } from '@forecourt/releases/gatePages';
import { callShell, RegistryCallError, sendByFetch } from '@forecourt/release-kit/registryClient';
import { findRepository } from '../provides.ts';

const SOURCE = 'shell/src/marketplace/recorded/gatePages.ts';

/** The recorded pages of a shell, or why there are none. */
export type RecordedPages =
  | { readonly pages: readonly GatePage[] }
  | { readonly pages?: never; readonly reason: string };

/** Those of a running shell, which gives them to its registry and to teams with GATE_TOKEN. */
export async function pagesOfShell(shellUrl: string, token: string | undefined): Promise<RecordedPages> {
  try {
    const call = { method: 'GET' as const, path: '/releases/recorded-pages' };
    return { pages: await callShell({ shellUrl, token, send: sendByFetch }, call, gatePagesSchema) };
  } catch (error) {
    if (!(error instanceof RegistryCallError)) throw error;
    const remedy = error.code === 'UNAUTHORIZED' ? '; set GATE_TOKEN' : '';
    return { reason: `${shellUrl} gives no recorded pages (${error.code}: ${error.message})${remedy}` };
  }
}

/** Those of the repository around `directory`, read without building its shell. */
export async function pagesOfRepository(directory: string): Promise<RecordedPages> {
  const repository = findRepository(directory);
  const file = repository && join(repository, SOURCE);
  if (file === undefined || !existsSync(file))
    return { reason: 'there are no recorded pages here; name a shell that has them (--shell URL)' };
  const { marketplaceGatePages } = (await import(pathToFileURL(file).href)) as {
    marketplaceGatePages: () => readonly GatePage[];
  };
  return { pages: marketplaceGatePages() };
}
