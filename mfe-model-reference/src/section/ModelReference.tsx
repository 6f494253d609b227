import { FaqsPanel } from '../panels/FaqsPanel.tsx';
import { type ReferenceData, modelName, referencedModel } from '../data/loadReference.ts';
import { sectionOf, type Section } from './section.ts';
import { useRef, useId, type ReactNode } from 'react';
import { usePageState } from '@forecourt/slots';
import { Skeleton } from '@forecourt/slots/ui';
import { Tabs } from '../Tabs.tsx';
import { CompareTrims } from '../compareTrims/CompareTrims.tsx';
import styles from './ModelReference.module.css';
import { PricingPanel } from '../panels/PricingPanel.tsx';
import { SafetyPanel } from '../panels/SafetyPanel.tsx';
import { TrimSpecsProvider } from '../compareTrims/TrimSpecsProvider.tsx';
import { CompareTrimsDialog } from '../compareTrims/CompareTrimsDialog.tsx';
import { TrimList } from '../compareTrims/TrimList.tsx';
import { ReviewsPanel } from '../panels/ReviewsPanel.tsx';
import { Feedback } from './Feedback.tsx';
import { EditorialPanel } from './EditorialPanel.tsx';
import { useSelectedTab } from './useSelectedTab.ts';

/** px; minimum height of the model-reference tabs. */
const MODEL_REFERENCE_MIN_HEIGHT = 500;

/** Target of the results heading's 'Learn more about …' link. */
const CONTAINER_ID = 'model-reference-container';

/** The content of a tab. */
function Panel(props: {
  tab: string;
  isSelected: boolean;
  section: Section;
  data: ReferenceData;
}): ReactNode {
  const { tab, isSelected, section, data } = props;
  const { name, questions } = section;
  const editorial = usePageState(({ search }) => search.editorial?.editorialContent);
  const vehicle = data.researchedYear === null ? name : `${data.researchedYear} ${name}`;
  switch (tab) {
    case 'pricing':
      return <PricingPanel data={data} name={name} />;
    case 'compare-trims':
      // Unmounted when not selected, so that the comparison resets its filters.
      return isSelected ? <CompareTrims trims={data.trims} name={name} /> : <TrimList trims={data.trims} />;
    case 'safety':
      return data.safetyInfo && <SafetyPanel info={data.safetyInfo} vehicle={vehicle} />;
    case 'consumer-reviews':
      return data.ratings && <ReviewsPanel ratings={data.ratings} vehicle={vehicle} />;
    case 'faqs':
      return <FaqsPanel name={name} questions={questions} mileage={data.mileage} isSelected={isSelected} />;
    default:
      return <EditorialPanel sections={editorial?.tabs.find(({ key }) => key === tab)?.sections ?? []} />;
  }
}

/** The tabs and their panels. The URL's fragment may select one. */
function ReferenceTabs(props: { section: Section; data: ReferenceData; onLink: () => void }): ReactNode {
  const { section, data, onLink } = props;
  const [selected, select] = useSelectedTab(
    section.tabs.map(({ key }) => key),
    onLink,
  );
  return (
    <Tabs
      label={`About the ${section.name}`}
      tabs={section.tabs.map(({ key, label }) => ({
        key,
        label,
        panel: <Panel tab={key} isSelected={key === selected} section={section} data={data} />,
      }))}
      selected={selected ?? ''}
      onSelect={select}
    />
  );
}

/**
 * The section about the one make and model of a search; empty for other searches or without content. It has a minimum
 * height, also while the data of another model load.
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
