import { type ReactNode } from 'react';
import { BRANDS, type BrandCode } from '@forecourt/shared-contracts/brands';
import type { Scenario } from '@forecourt/shared-contracts/testing';
import { Stage } from './Stage.tsx';
import styles from './Workshop.module.css';

const WIDTHS = ['320', '390', '820', '1440'] as const;

/** The same address with one choice changed. */
function hrefWith(query: URLSearchParams, name: string, value: string | undefined): string {
  const changed = new URLSearchParams(query);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return `?${changed}`;
}

/** Links of which the chosen one is current: every view of the workshop has an address of its own. */
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

/** The list of a remote's scenarios, and one of them on the stage. */
export function Workshop(props: {
  scenarios: readonly Scenario[];
  scenario: Scenario | undefined;
  query: URLSearchParams;
}): ReactNode {
  const { scenarios, scenario, query } = props;
  if (!scenario) return <p>This remote has no scenarios.</p>;
  const width = query.get('width') ?? undefined;
  const asked = query.get('brand') ?? undefined;
  const brand = asked !== undefined && Object.hasOwn(BRANDS, asked) ? (asked as BrandCode) : undefined;
  // Bare: the slot alone, for screenshots and for measuring.
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
          options={[[undefined, 'whole window'], ...WIDTHS.map((px) => [px, `${px} px`] as const)]}
        />
        <Choices
          label="Brand"
          name="brand"
          query={query}
          chosen={brand}
          options={[
            [undefined, "the scenario's"],
            ...Object.keys(BRANDS).map((code) => [code, code] as const),
          ]}
        />
      </aside>
      <main className={styles['main']}>
        {width === undefined ? (
          <Stage key={scenario.name} scenario={scenario} brand={brand} />
        ) : (
          // A frame, so that media queries answer to the chosen width.
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
