import { useState, type ReactNode } from 'react';
import { SMALL_SCREEN_BELOW } from '@forecourt/shared-contracts/rules';
import { Dialog } from '@forecourt/shared-contracts/ui';
import { KeywordBox } from './KeywordBox.tsx';

const isSmallScreen = () => window.matchMedia(`(max-width: ${SMALL_SCREEN_BELOW - 0.02}px)`).matches;

/**
 * Search by words: on small screens in a dialog with room for its suggestions,
 * else with a panel below the field (B2-TOOL-08, B2-MODAL-05, B4-KEY-01, AMB-090).
 */
export function KeywordSearch(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [words, setWords] = useState('');
  return (
    <>
      <KeywordBox
        words={words}
        onType={setWords}
        // Reaching the field by keyboard changes nothing; a tap or a character opens the dialog.
        onUse={() => isSmallScreen() && setIsOpen(true)}
        hasPanel={!isOpen}
        onDone={() => setWords('')}
      />
      <Dialog open={isOpen} title="Keyword Search" onClose={() => setIsOpen(false)}>
        <KeywordBox
          words={words}
          onType={setWords}
          takesFocus
          hasPanel
          isInDialog
          onDone={() => {
            setIsOpen(false);
            setWords('');
          }}
        />
      </Dialog>
    </>
  );
}
