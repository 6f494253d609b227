/** How the rows of a nested document are found. */
export interface NestedShape {
  /** Name of a row's element, or of the array that holds the rows. */
  readonly rows?: string | undefined;
  /** Columns that the mapping uses. */
  readonly mapped: readonly string[];
  /** Columns that are wanted of the groups above the rows. */
  readonly above: readonly string[];
}
