import type { BootData, BootSlot } from '../universal/bootData.ts';

/** The release of a slot, e.g. 'mfe-results@1.4.0'; none on pages with an extension, which may have replaced it. */
export function releaseOf(
  boot: BootData,
  slot: Pick<BootSlot, 'remote' | 'frame'> | undefined,
): string | undefined {
  const { version } = slot?.frame ?? boot.remotes.find(({ name }) => name === slot?.remote) ?? {};
  return boot.extension || version === undefined ? undefined : `${slot?.remote}@${version}`;
}
