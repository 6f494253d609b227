import { createRoot } from 'react-dom/client';
import scenarios from 'remote/scenarios';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { BRANDS, type BrandCode } from '@forecourt/search/brands';
import { createTestEnvironment } from '@forecourt/search/testing';
import { mountSlot } from '@forecourt/slots/browser';
import type { BusEvent } from '@forecourt/slots/events';
import { type Scenario, moduleOf } from '@forecourt/slots/testing';
import styles from './main.module.css';

const WIDTHS = ['320', '390', '820', '1440'] as const;

/** The current query with one parameter changed or removed. */
function hrefWith(query: URLSearchParams, name: string, value: string | undefined): string {
  const changed = new URLSearchParams(query);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return `?${changed}`;
}

/** Choices as links, because every view of the workshop has its own URL. */
function Choices(props: {
  label: string;
  name: string;
  query: URLSearchParams;
  chosen: string | undefined;
  options: readonly (readonly [value: string | undefined, text: string])[];
}): ReactNode {
  const { label, name, query, chosen, options } = props;
  return (
    <nav className={styles['choices']} aria-label={label}>
      <h2 className={styles['label']}>{label}</h2>
      <ul>
        {options.map(([value, text]) => (
          <li key={text}>
            <a href={hrefWith(query, name, value)} aria-current={value === chosen ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The list of a remote's scenarios, and the selected one. */
export function Workshop(props: {
  scenarios: readonly Scenario[];
  scenario: Scenario | undefined;
  query: URLSearchParams;
}): ReactNode {
  const { scenarios, scenario, query } = props;
  if (!scenario) return <p>This remote has no scenarios.</p>;
  const width = query.get('width') ?? undefined;
  const brandParam = query.get('brand') ?? '';
  const brand = Object.hasOwn(BRANDS, brandParam) ? (brandParam as BrandCode) : undefined;
  // Only the slot, for screenshots and measurements.
  if (query.has('bare')) return <Stage key={scenario.name} scenario={scenario} brand={brand} isBare />;
  return (
    <div className={styles['workshop']}>
      <aside className={styles['side']}>
        <Choices
          label="Scenario"
          name="scenario"
          query={query}
          chosen={scenario.name}
          options={scenarios.map(({ name }) => [name, name])}
        />
        <Choices
          label="Width"
          name="width"
          query={query}
          chosen={width}
          options={[[undefined, 'full window'], ...WIDTHS.map((px) => [px, `${px} px`] as const)]}
        />
        <Choices
          label="Brand"
          name="brand"
          query={query}
          chosen={brand}
          options={[
            [undefined, 'from the scenario'],
            ...Object.keys(BRANDS).map((code) => [code, code] as const),
          ]}
        />
      </aside>
      <main className={styles['main']}>
        {width === undefined ? (
          <Stage key={scenario.name} scenario={scenario} brand={brand} />
        ) : (
          // A frame, so that media queries see the chosen width.
          <iframe
            className={styles['frame']}
            style={{ inlineSize: `${Number(width) || 390}px` }}
            title={`${scenario.name} at ${width} px`}
            src={hrefWith(new URLSearchParams([...query, ['bare', '']]), 'width', undefined)}
          />
        )}
      </main>
    </div>
  );
}

/** Mounts a scenario as the shell mounts a slot, and lists the events that it emits. */
function Stage(props: { scenario: Scenario; brand: BrandCode | undefined; isBare?: boolean }): ReactNode {
  const { scenario, brand, isBare } = props;
  const placeRef = useRef<HTMLDivElement>(null);
  const [events, setEvents] = useState<readonly BusEvent[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  useEffect(() => {
    const place = placeRef.current;
    if (!place) return undefined;
    const session = brand === undefined ? scenario.state.session : { ...scenario.state.session, brand };
    document.documentElement.dataset['brand'] = session.brand;
    const module = moduleOf(scenario);
    const shell = createTestEnvironment(module, {
      calls: scenario.calls,
      state: { ...scenario.state, session },
    });
    const subscription = shell.bus.all.subscribe((event) =>
      setEvents((before) => [...before, event].slice(-50)),
    );
    // A new element for each run: React doesn't allow a second root in the same element.
    const element = place.appendChild(document.createElement('div'));
    const mounted = mountSlot({
      module,
      element,
      store: shell.store,
      environment: shell.environment,
      onReady: () => {
        document.documentElement.dataset['ready'] = scenario.name;
      },
      onError: (phase, error) => setProblems((before) => [...before, `${phase}: ${String(error)}`]),
    });
    return () => {
      subscription.unsubscribe();
      mounted.unmount();
      element.remove();
    };
  }, [scenario, brand]);
  return (
    <>
      <div ref={placeRef} className={styles['stage']} />
      {problems.map((problem, at) => (
        <p key={at} role="alert" className={styles['problem']}>
          {problem}
        </p>
      ))}
      {!isBare && (
        <section className={styles['bus']} aria-label="Events">
          <h2 className={styles['label']}>Events</h2>
          {events.length === 0 && <p>No events yet.</p>}
          <ol>
            {events.map(({ type, payload }, at) => (
              <li key={at}>
                <code>
                  {type} {JSON.stringify(payload)}
                </code>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

// A reload keeps the URL, and so the scenario.
followRebuilds();
const place = document.getElementById('workshop');
if (!place) throw new Error('the page has no element #workshop');
// Data that one scenario stored in the browser must not affect the next.
sessionStorage.clear();
localStorage.clear();
const query = new URLSearchParams(location.search);
const scenario = scenarios.find(({ name }) => name === query.get('scenario')) ?? scenarios[0];
createRoot(place).render(<Workshop scenarios={scenarios} scenario={scenario} query={query} />);

/** Reloads the page after each rebuild. */
function followRebuilds(): void {
  const builds = new EventSource('/builds');
  let current: string | undefined;
  builds.addEventListener('build', (event: MessageEvent<string>) => {
    if (current !== undefined && current !== event.data) location.reload();
    current = event.data;
  });
}
