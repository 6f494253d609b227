import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button, Icon } from '@forecourt/slots/ui';
import { Loaded } from '../browser/lazyLoading.tsx';
import type { ComparedVehicle } from './comparedVehicle.ts';
import { useCompared, useCompareStore, useFolded } from './compareStore.ts';
import styles from './CompareDrawer.later.module.css';
import { COMPARE_MINIMUM, COMPARE_CAPACITY } from '../constants.ts';
import { RemoveControl } from './RemoveControl.tsx';
import { focusOutside } from './focusOutside.ts';

const loadDialog = () => import('./CompareDialog.tsx').then(({ CompareDialog }) => CompareDialog);

/** Reports the height of the referenced element while it is shown, and 0 afterwards. */
function useReportedHeight(
  isShown: boolean,
  report: (height: number) => void,
): RefObject<HTMLElement | null> {
  const reference = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = reference.current;
    if (!isShown || !element) return undefined;
    const observer = new ResizeObserver(() => report(element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      report(0);
    };
  }, [isShown, report]);
  return reference;
}

/** The open state of the dialog, which closes when too few vehicles are left, and the button that then gets the focus. */
function useCompareDialog(isTooFew: boolean) {
  const [isComparing, setComparing] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  // The dialog returns the focus to 'Compare now', which is disabled if removing a vehicle closed the dialog.
  if (isComparing && isTooFew) setComparing(false);
  const wasComparing = useRef(false);
  useEffect(() => {
    if (wasComparing.current && isTooFew) toggle.current?.focus({ preventScroll: true });
    wasComparing.current = isComparing;
  }, [isComparing, isTooFew]);
  return { isComparing, setComparing, toggle };
}

/**
 * The selected vehicles at the bottom of the screen, with a placeholder for each one that can still be added
 *. `bottomOffset`: px covered by an ad below; `onCover` receives its own height.
 */
export function CompareDrawer(props: { bottomOffset: number; onCover: (height: number) => void }): ReactNode {
  const { bottomOffset, onCover } = props;
  const vehicles = useCompared();
  const store = useCompareStore();
  const isOpen = !useFolded();
  const id = useId();
  const isShown = vehicles.length > 0;
  const bar = useReportedHeight(isShown, onCover);
  const isTooFew = vehicles.length < COMPARE_MINIMUM;
  const { isComparing, setComparing, toggle } = useCompareDialog(isTooFew);
  if (!isShown) return null;
  const clear = () => {
    focusOutside();
    store.clear();
  };
  return (
    <>
      {/* Translated, so that an ad below causes no layout shift. */}
      <aside
        ref={bar}
        className={styles['drawer']}
        style={bottomOffset ? { translate: `0 ${-bottomOffset}px` } : undefined}
        aria-label="Compare vehicles"
      >
        <div className={styles['bar']}>
          <button
            ref={toggle}
            type="button"
            className={styles['toggle']}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => store.fold(isOpen)}
          >
            <span className={styles['chevron']}>
              <Icon name="chevronDown" />
            </span>
            <span className={styles['name']}>Compare</span>
            {` ${vehicles.length} of ${COMPARE_CAPACITY}`}
          </button>
          <Button look="quiet" className={styles['command']} onClick={clear}>
            Clear all
          </Button>
          <Button
            look="primary"
            className={styles['command']}
            disabled={isTooFew}
            onClick={() => setComparing(true)}
          >
            Compare now
          </Button>
        </div>
        {isOpen && vehicles.length === COMPARE_CAPACITY && (
          <p className={styles['full']}>Remove a vehicle to choose another one.</p>
        )}
        <CompareSlots
          id={id}
          isOpen={isOpen}
          vehicles={vehicles}
          onRemove={(removedId) => store.remove(removedId)}
        />
      </aside>
      <Loaded
        load={loadDialog}
        isLoadRequested={isComparing}
        props={{
          open: isComparing,
          vehicles,
          onRemove: (removedId) => store.remove(removedId),
          onClose: () => setComparing(false),
        }}
      />
    </>
  );
}

function CompareSlots(props: {
  id: string;
  isOpen: boolean;
  vehicles: readonly ComparedVehicle[];
  onRemove: (id: string) => void;
}): ReactNode {
  const places = Array.from({ length: COMPARE_CAPACITY }, (_, place) => props.vehicles[place]);
  return (
    <ul id={props.id} data-removals className={styles['places']} hidden={!props.isOpen}>
      {places.map((vehicle, place) => (
        <li key={vehicle?.id ?? `empty${place}`} className={styles['place']}>
          {vehicle ? (
            <ComparedVehicleCard vehicle={vehicle} onRemove={() => props.onRemove(vehicle.id)} />
          ) : (
            <span className={styles['empty']}>Add a vehicle</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function ComparedVehicleCard({
  vehicle,
  onRemove,
}: {
  vehicle: ComparedVehicle;
  onRemove: () => void;
}): ReactNode {
  const { id, picture, title, rows } = vehicle;
  return (
    <div className={styles['chosen']}>
      {picture && <img className={styles['thumbnail']} src={picture.src} alt="" width={80} height={60} />}
      <span className={styles['words']}>
        <span className={styles['title']}>{title}</span>
        <span className={styles['price']}>{rows.price}</span>
      </span>
      <RemoveControl
        title={title}
        className={styles['remove']}
        onRemove={onRemove}
        onLast={() => focusOutside(id)}
      />
    </div>
  );
}
