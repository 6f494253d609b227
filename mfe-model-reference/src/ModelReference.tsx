import { useId, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Skeleton } from '@forecourt/shared-contracts/ui';
import { Tabs } from './TabList.tsx';
import { CompareTrims } from './compareTrims/CompareTrims.tsx';
import { CompareTrimsDialog } from './compareTrims/CompareTrimsDialog.tsx';
import { TrimSpecsProvider } from './compareTrims/TrimSpecs.tsx';
import { EditorialPanel } from './editorial/EditorialPanel.tsx';
import { FaqsPanel } from './faqs/FaqsPanel.tsx';
import { Feedback } from './Feedback.tsx';
import type { ReferenceData } from './load.ts';
import styles from './ModelReference.module.css';
import { PricingPanel } from './pricing/PricingPanel.tsx';
import { ReviewsPanel } from './reviews/ReviewsPanel.tsx';
import { SafetyPanel } from './safety/SafetyPanel.tsx';
import { sectionOf, type Section } from './section.ts';
import { useSelectedTab } from './useSelectedTab.ts';
import { modelName, referencedModel } from './vehicle.ts';
import { MODEL_REFERENCE_MIN_HEIGHT } from './constants.ts';

/** Target of the heading's 'Learn more about …' link (B2-HEAD-02). */
const CONTAINER_ID = 'model-reference-container';

const subscribeToNothing = () => () => {};
/** False on the server and while its HTML is taken over, then true. */
const useIsHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** The content of a tab. */
function Panel(props: { tab: string; isShown: boolean; section: Section; data: ReferenceData }): ReactNode {
  const { tab, isShown, section, data } = props;
  const { name, questions } = section;
  const editorial = usePageState(({ search }) => search.editorial?.editorialContent);
  const vehicle = data.researchedYear === null ? name : `${data.researchedYear} ${name}`;
  switch (tab) {
    case 'pricing':
      return <PricingPanel data={data} name={name} />;
    case 'compare-trims':
      return <CompareTrims trims={data.trims} name={name} isShown={isShown} />;
    case 'safety':
      return data.safetyInfo && <SafetyPanel info={data.safetyInfo} vehicle={vehicle} />;
    case 'consumer-reviews':
      return data.ratings && <ReviewsPanel ratings={data.ratings} vehicle={vehicle} />;
    case 'faqs':
      return <FaqsPanel name={name} questions={questions} mileage={data.mileage} />;
    default:
      return <EditorialPanel sections={editorial?.tabs.find(({ key }) => key === tab)?.sections ?? []} />;
  }
}

/** The tabs and their panels; the address may name one behind its '#'. */
function ReferenceTabs(props: { section: Section; data: ReferenceData; onLink: () => void }): ReactNode {
  const { section, data, onLink } = props;
  const [selected, select] = useSelectedTab(
    section.tabs.map(({ key }) => key),
    onLink,
  );
  const isHydrated = useIsHydrated();
  return (
    <Tabs
      label={`About the ${section.name}`}
      tabs={section.tabs.map(({ key, label }) => ({
        key,
        label,
        // The comparison forgets its choices when it is left (B4-MR-09); all others stay.
        panel: (key !== 'compare-trims' || key === selected || !isHydrated) && (
          <Panel tab={key} isShown={key === selected} section={section} data={data} />
        ),
      }))}
      selected={selected ?? ''}
      onSelect={select}
    />
  );
}

/**
 * The section about one make and model; nothing when the search is for none or
 * several, or when no tab has content. The tabs keep their least height
 * (B9-HEIGHT-04) also while the data of a newly chosen model are on their way.
 */
export function ModelReference({ data }: { data: ReferenceData | null | undefined }): ReactNode {
  const criteria = usePageState(({ search }) => search.criteria);
  const chips = usePageState(({ search }) => search.chips);
  const editorial = usePageState(({ search }) => search.editorial);
  const isOn = usePageState(({ session }) => session.flags['modelReference'] === true);
  const headingId = useId();
  const sectionRef = useRef<HTMLElement>(null);

  const model = referencedModel(criteria);
  if (!isOn || !model) return null;
  const section = sectionOf({ criteria, chips, editorial }, data);
  if (section?.tabs.length === 0) return null;
  const name = modelName(model, chips);
  const modelKey = `${model.makeCode}/${model.modelCode}`;
  return (
    <section
      ref={sectionRef}
      id={CONTAINER_ID}
      className={styles['section']}
      aria-labelledby={headingId}
      aria-busy={!section}
    >
      <h2 id={headingId} className={styles['heading']}>
        {`About the ${name}`}
      </h2>
      {section && data ? (
        <TrimSpecsProvider>
          <div style={{ minHeight: MODEL_REFERENCE_MIN_HEIGHT }}>
            <ReferenceTabs
              key={modelKey}
              section={section}
              data={data}
              onLink={() => sectionRef.current?.scrollIntoView()}
            />
          </div>
          <CompareTrimsDialog trims={data.trims} name={name} />
          <Feedback />
        </TrimSpecsProvider>
      ) : (
        <Skeleton height={`${MODEL_REFERENCE_MIN_HEIGHT}px`} />
      )}
    </section>
  );
}
