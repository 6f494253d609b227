interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}

export function isUpToDate(
  locked: Readonly<Record<string, Entry>>,
  installed: Readonly<Record<string, Entry>> | undefined,
): boolean;

export function explainInstallFailure(output: string): string;

/** Makes `node_modules` below `root` match its package-lock.json. */
export function installPackages(root: string): Promise<void>;
