import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

// `node checkPackages.mjs FILE.tgz…` prints every problem of the packages as a line.

/** The packages are ES modules for bundlers and Node: what `require` and Node 10 would find doesn't matter. */
const IGNORED_RESOLUTIONS = new Set(['node10', 'node16-cjs']);

/** Styles, and what tools read by its name. */
const WITHOUT_TYPES = /\.(?:css|json)$|\/jest-preset$/;

async function* problemsOf(tarball) {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  for (const message of messages)
    yield `${pkg.name}: publint ${message.code}: ${formatMessage(message, pkg)}`;
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!analysis.types) return yield `${pkg.name}: arethetypeswrong: it has no types`;
  for (const problem of analysis.problems) {
    const { kind, entrypoint = '', resolutionKind } = problem;
    if (IGNORED_RESOLUTIONS.has(resolutionKind) || WITHOUT_TYPES.test(entrypoint)) continue;
    yield `${pkg.name}: arethetypeswrong ${kind} at ${entrypoint} (${resolutionKind ?? ''})`;
  }
}

for (const tarball of process.argv.slice(2))
  for await (const problem of problemsOf(tarball)) process.stdout.write(`${problem}\n`);
