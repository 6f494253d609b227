import { defineSlot, useEmit } from '@forecourt/shared-contracts/slots';
import { faqPage, FaqsPanel } from '../panels/FaqsPanel.tsx';
import {
  loadReference,
  referenceKey,
  type ReferenceData,
  modelName,
  referencedModel,
} from '../data/loadReference.ts';
import { shownQuestions, sectionOf, type Section } from '../section/section.ts';
import { useEffect, useRef, useState, useId, useSyncExternalStore, type ReactNode } from 'react';
import { usePageState, storedFlag } from '@forecourt/shared-contracts/store';
import { Skeleton, Button } from '@forecourt/shared-contracts/ui';
import { Tabs } from '../TabList.tsx';
import {
  CompareTrims,
  CompareTrimsDialog,
  TrimList,
  TrimSpecsProvider,
} from '../compareTrims/CompareTrims.tsx';
import styles from '../section/ModelReference.module.css';
import { PricingPanel } from '../panels/PricingPanel.tsx';
import { ReviewsPanel, SafetyPanel } from '../panels/RatingsPanels.tsx';

/** px; minimum height of the model-reference tabs (B9-HEIGHT-04). */
const MODEL_REFERENCE_MIN_HEIGHT = 500;

/** The URL's fragment; undefined if it can't be decoded, as in '#%'. */
function keyOfHash(): string | undefined {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return undefined;
  }
}

/**
 * The selected tab, mirrored in the URL's fragment so that it can be linked to. The first of `keys` is selected if the
 * fragment matches none. Calls `onLink` when the fragment selects a tab.
 */
function useSelectedTab(
  keys: readonly string[],
  onLink: () => void,
): readonly [string | undefined, (key: string) => void] {
  const [selectedKey, setSelectedKey] = useState<string>();
  const link = useRef({ keys, onLink });
  useEffect(() => {
    link.current = { keys, onLink };
  });
  useEffect(() => {
    const follow = () => {
      const key = keyOfHash();
      if (key === undefined || !link.current.keys.includes(key)) return;
      setSelectedKey(key);
      link.current.onLink();
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const select = (key: string) => {
    setSelectedKey(key);
    // Keep the shell's history state: only the fragment changes.
    window.history.replaceState(window.history.state, '', `#${encodeURIComponent(key)}`);
  };
  return [selectedKey !== undefined && keys.includes(selectedKey) ? selectedKey : keys[0], select];
}

/** Target of the results heading's 'Learn more about …' link (B2-HEAD-02). */
const CONTAINER_ID = 'model-reference-container';

/** The content of a tab. */
function Panel(props: { tab: string; section: Section; data: ReferenceData }): ReactNode {
  const { tab, section, data } = props;
  const { name, questions } = section;
  const editorial = usePageState(({ search }) => search.editorial?.editorialContent);
  const vehicle = data.researchedYear === null ? name : `${data.researchedYear} ${name}`;
  switch (tab) {
    case 'pricing':
      return <PricingPanel data={data} name={name} />;
    case 'compare-trims':
      return <CompareTrims trims={data.trims} name={name} />;
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
        // Unmounted when not selected, so that the comparison resets its filters (B4-MR-09).
        panel:
          key === 'compare-trims' && key !== selected ? (
            <TrimList trims={data.trims} />
          ) : (
            <Panel tab={key} section={section} data={data} />
          ),
      }))}
      selected={selected ?? ''}
      onSelect={select}
    />
  );
}

/**
 * The section about the one make and model of a search; empty for other searches or without content. It has a minimum
 * height (B9-HEIGHT-04), also while the data of another model load.
 */
function ModelReference({ data }: { data: ReferenceData | null | undefined }): ReactNode {
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

interface EditorialSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** Editorial content as text. */
function EditorialPanel({ sections }: { sections: readonly EditorialSection[] }): ReactNode {
  return (
    <div className={styles['editorial']}>
      {sections.map(({ heading, paragraphs }) => (
        <section key={heading}>
          <h3 className={styles['subheading']}>{heading}</h3>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
    </div>
  );
}

const subscribeToNothing = () => () => {};

const KEY = 'modelReferenceFeedback';

/** Set once the question was answered in this session. Without storage, the question comes back. */
const isAnswered = storedFlag('session', KEY);

/** 'Was this information helpful?', once per session (B4-FEEDBACK-01, AMB-124). */
function Feedback(): ReactNode {
  const emit = useEmit();
  const wasAnswered = useSyncExternalStore(subscribeToNothing, isAnswered.read, () => false);
  const [isThanked, setThanked] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  if (wasAnswered && !isThanked) return null;
  const submit = (value: 'yes' | 'no') => {
    isAnswered.write(true);
    emit('page.tracked', { kind: 'click', name: 'modelReferenceFeedback', tile: value });
    setThanked(true);
    // The pressed button disappears: keep the focus position for the next Tab.
    rootRef.current?.focus();
  };
  return (
    <div ref={rootRef} tabIndex={-1} className={styles['feedback']} role="status">
      {isThanked ? (
        'Thank you for your feedback.'
      ) : (
        <>
          <span id={KEY}>Was this information helpful?</span>
          <span role="group" aria-labelledby={KEY} className={styles['answers']}>
            <Button onClick={() => submit('yes')}>Yes</Button>
            <Button onClick={() => submit('no')}>No</Button>
          </span>
        </>
      )}
    </div>
  );
}

/** Reference tabs about the search's make and model (B1-OFFER-07). */
export default defineSlot<ReferenceData | null>({
  needs: ['session', 'search.criteria', 'search.chips', 'search.editorial'],
  load: loadReference,
  loadKey: referenceKey,
  isComplete: (data) => !data?.isPartial,
  view: ModelReference,
  structuredData({ state, data }) {
    const questions = shownQuestions(state.search, data);
    return questions.length > 0 ? faqPage(questions) : undefined;
  },
});
