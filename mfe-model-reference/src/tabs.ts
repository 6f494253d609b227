/** Tabs of the section in their order. */
export const REFERENCE_TABS = [{ key: 'pricing', label: 'Pricing' }] as const;
export type ReferenceTab = (typeof REFERENCE_TABS)[number];

export interface TabContext {
  /** Model years and trims that have prices or listings. */
  readonly yearCount: number;
  readonly trimCount: number;
  /** Editorial-only mode: the only tabs to keep; empty or missing is no such mode (AMB-160). */
  readonly onlyTabs?: readonly string[] | undefined;
}

const HAS_CONTENT: Readonly<Record<ReferenceTab['key'], (context: TabContext) => boolean>> = {
  pricing: ({ yearCount, trimCount }) => yearCount > 0 || trimCount > 0,
};

/** Which tabs the section has: those with content, in editorial-only mode those named besides (B4-MR-01, B4-MR-07). */
export function referenceTabs(context: TabContext): readonly ReferenceTab[] {
  const { onlyTabs = [] } = context;
  return REFERENCE_TABS.filter(
    ({ key }) => HAS_CONTENT[key](context) && (onlyTabs.length === 0 || onlyTabs.includes(key)),
  );
}
