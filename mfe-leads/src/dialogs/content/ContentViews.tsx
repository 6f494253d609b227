import { type ReactNode, createElement, useMemo } from 'react';
import { buttonClass } from '@forecourt/shared-contracts/ui';
import styles from './content.module.css';
import type { CertifiedProgram, DealerDifference } from './loadContent.ts';
import { type RichNode, parseRichText } from './parseRichText.ts';
import richTextStyles from './RichText.module.css';

/** Benefits of a certified program, with its sponsor (B1-OFFER-06, B2-MODAL-09). */
export function CertifiedProgramView({ program, sponsor }: CertifiedProgram): ReactNode {
  return (
    <div className={styles['content']}>
      {sponsor.logo && (
        <img className={styles['logo']} src={sponsor.logo} alt={program.makeLabel} height={56} />
      )}
      <RichText html={program.content} />
      {sponsor.content !== program.content && (
        <section className={styles['content']}>
          <h3>{sponsor.heading}</h3>
          <RichText html={sponsor.content} />
        </section>
      )}
    </div>
  );
}

/** The dealer enters this URL: link only http(s) and same-origin paths. */
const isSafeLink = (href: string) => /^(?:https?:\/\/|\/(?![/\\]))/i.test(href);

/** Why to buy from this dealer, in the dealer's words (A2-UI-09). */
export function DealerDifferenceView({
  dealer,
  name,
}: {
  dealer: DealerDifference;
  name: string;
}): ReactNode {
  const { cta, htmlContent, logo } = dealer;
  return (
    <div className={styles['content']}>
      {logo && <img className={styles['logo']} src={logo} alt={name} height={56} />}
      <RichText html={htmlContent} />
      {isSafeLink(cta.link) && (
        <p>
          <a
            className={buttonClass('primary')}
            href={cta.link}
            {...(cta.offsite && { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {cta.label}
          </a>
        </p>
      )}
    </div>
  );
}

/** Types of electric vehicles (B2-MODAL-10, AMB-089). */
const ELECTRIC_TYPES = [
  {
    code: 'BEV',
    name: 'Battery electric',
    drive: 'Runs on a battery only, without an engine.',
    energy: 'Charge it at home or at a public station.',
    fits: 'Suits drivers who can charge overnight and rarely go beyond its range in a day.',
  },
  {
    code: 'PHEV',
    name: 'Plug-in hybrid',
    drive: 'Runs on a battery for the first 20 to 50 miles, then on a gasoline engine.',
    energy: 'Charge it for short trips, fill up for long ones.',
    fits: 'Suits short commutes and occasional long trips.',
  },
  {
    code: 'HEV',
    name: 'Hybrid',
    drive: 'Runs on a gasoline engine with help from an electric motor.',
    energy: 'Never plugged in: braking charges its small battery.',
    fits: 'Suits anyone who wants to use less fuel without changing habits.',
  },
  {
    code: 'FCEV',
    name: 'Fuel cell',
    drive: 'Runs on an electric motor powered by hydrogen.',
    energy: 'Fill up with hydrogen in minutes, where stations are available.',
    fits: 'Suits drivers near hydrogen stations, most of which are in California.',
  },
] as const;

export function ElectricVehicles(): ReactNode {
  return (
    <dl className={styles['types']}>
      {ELECTRIC_TYPES.map(({ code, name, drive, energy, fits }) => (
        <div key={code} className={styles['type']}>
          <dt className={styles['name']}>
            {name} <abbr className={styles['code']}>{code}</abbr>
          </dt>
          <dd>{drive}</dd>
          <dd>{energy}</dd>
          <dd className={styles['fits']}>{fits}</dd>
        </div>
      ))}
    </dl>
  );
}

function toReact(node: RichNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const { tag, href, children } = node;
  if (tag === 'br') return <br key={key} />;
  const link = href && {
    href,
    ...(href.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' }),
  };
  return createElement(tag, { key, ...link }, ...children.map(toReact));
}

/** Renders HTML from editors as React elements. */
export function RichText({ html }: { html: string }): ReactNode {
  const nodes = useMemo(() => parseRichText(html), [html]);
  return <div className={richTextStyles['text']}>{nodes.map(toReact)}</div>;
}
