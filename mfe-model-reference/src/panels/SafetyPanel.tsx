import { Fragment, type ReactNode } from 'react';
import { iconClass } from '@forecourt/slots/ui';
import type { SafetyInfo } from '../data/loadReference.ts';
import styles from './SafetyPanel.module.css';

/** Labels of abbreviated values, e.g. 'std'; other values are shown unchanged. */
const FEATURE_VALUES: Readonly<Record<string, string>> = {
  std: 'Standard',
  opt: 'Optional',
  na: 'Not Available',
  'n/a': 'Not Available',
};
const featureText = (value: string): string => FEATURE_VALUES[value.toLowerCase()] ?? value;

const isOutOfFive = (value: string) => /^[0-5](?:\.\d)?$/.test(value);

function Facts(props: { title: string; entries: SafetyInfo['Specifications'] }): ReactNode {
  if (props.entries.length === 0) return null;
  return (
    <section className={styles['group']}>
      <h3 className={styles['title']}>{props.title}</h3>
      <dl className={styles['facts']}>
        {props.entries.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{featureText(value)}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** '4 of 5' with a star, or another value as it is. */
function Score({ value }: { value: string }): ReactNode {
  if (!isOutOfFive(value)) return <span className={styles['score']}>{value}</span>;
  return <span className={`${styles['score']} ${iconClass('star')}`}>{`${value} of 5`}</span>;
}

/** Crash-test ratings, safety equipment and legroom. */
export function SafetyPanel({ info, vehicle }: { info: SafetyInfo; vehicle: string }): ReactNode {
  const { features, Specifications } = info;
  return (
    <>
      <p className={styles['intro']}>{`Ratings and equipment of the ${vehicle}.`}</p>
      <ul className={styles['ratings']} aria-label="Safety Ratings">
        {features['Safety Ratings'].map(({ name, value }) => (
          <li key={name} className={styles['rating']}>
            <Score value={value} />
            {name}
          </li>
        ))}
      </ul>
      <div className={styles['groups']}>
        <Facts title="Safety Features" entries={features['Safety Features']} />
        <Facts title="Room" entries={Specifications} />
      </div>
    </>
  );
}
