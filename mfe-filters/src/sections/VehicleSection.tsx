import { useRef, useState, type ReactNode } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { MAX_MAKE_GROUPS, valuesOf } from '@forecourt/search/criteria';
import { selectSession } from '@forecourt/search/state';
import { useEmit, usePageState } from '@forecourt/slots';
import { Button, Icon } from '@forecourt/slots/ui';
import { setValues } from '../search/criteriaChanges.ts';
import { usePanelData } from '../search/panelData.tsx';
import { searchHref } from '../search/links.ts';
import { useSelectedValues, useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
import { MakeGroup } from './MakeGroup.tsx';
import styles from './VehicleSection.module.css';
import { NoScript } from '../search/NoScript.tsx';

/**
 * Groups of a make with its models and trims: at most five, or one in single-MMT mode.
 */
export function VehicleSection(): ReactNode {
  const edit = useEdit();
  const chosenMakes = useSelectedValues('makeCode');
  const { openSection } = useDeferredCriteria();
  const { reference } = usePanelData();
  const { brand } = usePageState(selectSession);
  const ref = useRef<HTMLDivElement>(null);
  const [hasEmptyGroup, setHasEmptyGroup] = useState(openSection === 'makeCode');
  const makes = chosenMakes.slice(0, MAX_MAKE_GROUPS);
  const canAdd = makes.length > 0 && makes.length < MAX_MAKE_GROUPS && !BRANDS[brand].hasSingleMakeGroup;
  const showsEmptyGroup = makes.length === 0 || (canAdd && hasEmptyGroup);
  const groups: readonly (string | undefined)[] = showsEmptyGroup ? [...makes, undefined] : makes;

  const focusGroup = (index: number) => ref.current?.querySelectorAll('select')[index]?.focus();
  const replaceMake = (index: number, make: string | undefined) => {
    setHasEmptyGroup(false);
    edit((current) => {
      const next = [...valuesOf(current, 'makeCode')];
      next.splice(index, 1, ...(make === undefined ? [] : [make]));
      return setValues(current, 'makeCode', next, reference);
    }, 'filter:makeCode');
  };
  return (
    <div ref={ref} className={styles['groups']}>
      {groups.map((make, index) => (
        // Keyed by index, so that the select keeps the focus when its make changes.
        <MakeGroup
          key={index}
          index={index}
          make={make}
          isRemovable={groups.length > 1}
          onPick={(makeCode) => replaceMake(index, makeCode)}
          onRemove={() => {
            focusGroup(Math.max(0, index - 1));
            if (make === undefined) setHasEmptyGroup(false);
            else replaceMake(index, undefined);
          }}
        />
      ))}
      <CompareTrimsButton />
      {canAdd && !hasEmptyGroup && (
        <>
          <NoScript>
            <AddMakeLink />
          </NoScript>
          <Button className={styles['add']} onClick={() => setHasEmptyGroup(true)}>
            Add Another Make
          </Button>
        </>
      )}
    </div>
  );
}

/** Leads to the same page with a group more, without JavaScript. */
function AddMakeLink(): ReactNode {
  const criteria = useDeferredCriteria();
  return (
    <a href={`${searchHref({ ...criteria, openSection: 'makeCode' })}#slot-filters`}>Add another make</a>
  );
}

/** Opens the trim comparison of the selected model. */
function CompareTrimsButton(): ReactNode {
  const emit = useEmit();
  const makes = useSelectedValues('makeCode');
  const models = useSelectedValues('modelCode');
  const isOn = usePageState(({ session }) => session.flags['modelReference'] === true);
  if (!isOn || makes.length !== 1 || models.length !== 1) return null;
  return (
    <Button
      look="quiet"
      className={styles['compare']}
      aria-haspopup="dialog"
      onClick={() => emit('dialog.requested', { name: 'trims' })}
    >
      <Icon name="compare" size={18} />
      Compare Trims
    </Button>
  );
}
