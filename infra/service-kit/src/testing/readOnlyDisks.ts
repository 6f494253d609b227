/**
 * NODE_OPTIONS of a process that can write no file, and whose Node processes can't either: for it, and without privileges,
 * all disks are read-only.
 */
export const READ_ONLY_DISKS =
  '--permission --allow-fs-read=* --allow-addons --allow-child-process --allow-worker --no-warnings';
