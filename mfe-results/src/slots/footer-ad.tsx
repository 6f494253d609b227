import { BRANDS } from '@forecourt/search/brands';
import { selectFlag, selectSession } from '@forecourt/search/state';
import { defineSlot, usePageState } from '@forecourt/slots';
import { LeaderboardAd } from '../ads/AdPlace.tsx';
import '../ads/AdFrame.later.module.css';

/** The leaderboard at the end of the page; expanded on the manufacturer's page. */
export default defineSlot({
  reads: ['session', 'search.pageData'],
  view: function FooterAd() {
    const { brand, isBot } = usePageState(selectSession);
    const hasAds = usePageState(selectFlag('ads'));
    if (!hasAds || isBot) return null;
    return <LeaderboardAd slot="footer" kind={BRANDS[brand].hasCertifiedProgram ? 'expanded' : 'tall'} />;
  },
});
