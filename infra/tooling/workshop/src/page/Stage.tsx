import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { BrandCode } from '@forecourt/shared-contracts/brands';
import type { BusEvent } from '@forecourt/shared-contracts/events';
import { mountSlot } from '@forecourt/shared-contracts/slots/browser';
import { createTestEnvironment, moduleOf, type Scenario } from '@forecourt/shared-contracts/testing';
import styles from './Workshop.module.css';

/** Mounts a scenario as the shell mounts a slot, and shows what it says on the bus. */
export function Stage(props: {
  scenario: Scenario;
  brand: BrandCode | undefined;
  isBare?: boolean;
}): ReactNode {
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
    const heard = shell.bus.all.subscribe((event) => setEvents((before) => [...before, event].slice(-50)));
    // A root of its own in each run: React refuses a second one in the same element.
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
      heard.unsubscribe();
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
          {events.length === 0 && <p>Nothing was sent yet.</p>}
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
