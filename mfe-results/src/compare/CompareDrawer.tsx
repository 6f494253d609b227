import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { COMPARE_CAPACITY } from '@forecourt/shared-contracts/rules';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { Loaded } from '../browser/Loaded.tsx';
import type { ComparedVehicle } from './comparedVehicle.ts';
import { useCompared, useCompareStore, useFolded } from './compareStore.ts';
import { focusOutside, RemoveControl } from './RemoveControl.tsx';
import styles from './CompareDrawer.later.module.css';
import { COMPARE_MINIMUM } from '../constants.ts';

const loadDialog = () => import('./CompareDialog.tsx').then(({ CompareDialog }) => CompareDialog);

/**
 * The chosen vehicles at the bottom of the screen, with a place for each that
 * may still come (AMB-123). `lift`: px that an ad below it covers; `onCover`
 * hears its own height.
 */
export function CompareDrawer(props: { lift: number; onCover: (height: number) => void }): ReactNode {
  const { lift, onCover } = props;
  const vehicles = useCompared();
  const store = useCompareStore();
  const isOpen = !useFolded();
  const [isComparing, setComparing] = useState(false);
  const id = useId();
  const bar = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const isShown = vehicles.length > 0;
  useEffect(() => {
    const element = bar.current;
    if (!isShown || !element) return undefined;
    const observer = new ResizeObserver(() => onCover(element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      onCover(0);
    };
  }, [isShown, onCover]);
  // The dialog gives the focus back to 'Compare now', which takes none when a removal closed it.
  const isTooFew = vehicles.length < COMPARE_MINIMUM;
  if (isComparing && isTooFew) setComparing(false);
  const wasComparing = useRef(false);
  useEffect(() => {
    if (wasComparing.current && isTooFew) toggle.current?.focus({ preventScroll: true });
    wasComparing.current = isComparing;
  }, [isComparing, isTooFew]);
  if (!isShown) return null;
  const clear = () => {
    focusOutside();
    store.clear();
  };
  const places = Array.from({ length: COMPARE_CAPACITY }, (_, place) => vehicles[place]);
  return (
    <>
      {/* Moved, not placed anew: nothing on the page shifts when an ad comes below it. */}
      <aside
        ref={bar}
        className={styles['drawer']}
        style={lift ? { translate: `0 ${-lift}px` } : undefined}
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
        <ul id={id} data-removals className={styles['places']} hidden={!isOpen}>
          {places.map((vehicle, place) => (
            <li key={vehicle?.id ?? `empty${place}`} className={styles['place']}>
              {vehicle ? (
                <ChosenVehicle vehicle={vehicle} onRemove={() => store.remove(vehicle.id)} />
              ) : (
                <span className={styles['empty']}>Add a vehicle</span>
              )}
            </li>
          ))}
        </ul>
      </aside>
      <Loaded
        load={loadDialog}
        isWanted={isComparing}
        props={{
          open: isComparing,
          vehicles,
          onRemove: (removed) => store.remove(removed),
          onClose: () => setComparing(false),
        }}
      />
    </>
  );
}

function ChosenVehicle({ vehicle, onRemove }: { vehicle: ComparedVehicle; onRemove: () => void }): ReactNode {
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
