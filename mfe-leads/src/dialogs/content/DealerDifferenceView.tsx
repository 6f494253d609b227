import type { ReactNode } from 'react';
import { buttonClass } from '@forecourt/slots/ui';
import { ContentFrame } from './ContentFrame.tsx';
import type { DealerDifference } from './loadContent.ts';
import { RichText } from './RichText.tsx';

/** The dealer enters this URL: link only http(s) and same-origin paths. */
const isSafeLink = (href: string) => /^(?:https?:\/\/|\/(?![/\\]))/i.test(href);

/** Why to buy from this dealer, in the dealer's words. */
export function DealerDifferenceView({
  dealer,
  name,
}: {
  dealer: DealerDifference;
  name: string;
}): ReactNode {
  const { cta, htmlContent, logo } = dealer;
  return (
    <ContentFrame logo={{ src: logo, name }}>
      <RichText content={htmlContent} />
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
    </ContentFrame>
  );
}
