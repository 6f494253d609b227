import { useId, useState, type ReactNode } from 'react';
import { MODEL_REFERENCE_MIN_HEIGHT } from '@forecourt/shared-contracts/rules';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Skeleton, Tabs } from '@forecourt/shared-contracts/ui';
import styles from './ModelReference.module.css';
import type { PricingData } from './pricing/load.ts';
import { PricingPanel } from './pricing/PricingPanel.tsx';
import { referenceTabs } from './tabs.ts';
import { modelName, referencedModel } from './vehicle.ts';

/** Target of the heading's 'Learn more about …' link (B2-HEAD-02). */
const CONTAINER_ID = 'model-reference-container';

/**
 * The section about one make and model; nothing when the search is for none or
 * several, or when no tab has content. While the data of a newly chosen model
 * are on their way the section keeps its height (B9-HEIGHT-04).
 */
export function ModelReference({ data }: { data: PricingData | null | undefined }): ReactNode {
  const criteria = usePageState(({ search }) => search.criteria);
  const chips = usePageState(({ search }) => search.chips);
  const onlyTabs = usePageState(({ search }) => search.editorial?.editorialContent?.onlyTabs);
  const isOn = usePageState(({ session }) => session.flags['modelReference'] === true);
  const headingId = useId();
  const [selected, select] = useState('pricing');

  const model = referencedModel(criteria);
  if (!isOn || !model) return null;
  const isCurrent = data?.makeCode === model.makeCode && data.modelCode === model.modelCode;
  const name = modelName(model, chips);
  const tabs = isCurrent
    ? referenceTabs({ yearCount: data.modelYearsData.length, trimCount: data.trimsData.length, onlyTabs })
    : [];
  if (isCurrent && tabs.length === 0) return null;
  const panels = isCurrent ? { pricing: <PricingPanel data={data} name={name} /> } : undefined;
  return (
    <section
      id={CONTAINER_ID}
      className={styles['section']}
      style={{ minHeight: MODEL_REFERENCE_MIN_HEIGHT }}
      aria-labelledby={headingId}
      aria-busy={!isCurrent}
    >
      <h2 id={headingId} className={styles['heading']}>
        {`About the ${name}`}
      </h2>
      {panels ? (
        <Tabs
          label={`About the ${name}`}
          tabs={tabs.map(({ key, label }) => ({ key, label, panel: panels[key] }))}
          selected={selected}
          onSelect={select}
        />
      ) : (
        <Skeleton height="400px" />
      )}
    </section>
  );
}
