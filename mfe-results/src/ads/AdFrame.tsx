import type { ReactNode, Ref } from 'react';
import type { FilledAd } from './loadAd.ts';
import styles from './AdFrame.later.module.css';

/** Links of a creative open beside the page; it runs no script and sees nothing of the page (AMB-193). */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A creative in its sandboxed frame; one frame shows one creative. */
export function AdFrame({
  ad,
  onLoad,
  ref,
}: {
  ad: FilledAd;
  onLoad: () => void;
  ref?: Ref<HTMLIFrameElement>;
}): ReactNode {
  const { src, width, height, advertiser } = ad;
  return (
    <iframe
      ref={ref}
      className={styles['frame']}
      title={`Advertisement of ${advertiser}`}
      src={src}
      width={width}
      height={height}
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={onLoad}
    />
  );
}
