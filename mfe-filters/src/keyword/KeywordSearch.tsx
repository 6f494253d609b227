import { useState, type ReactNode } from 'react';
import { Dialog, SMALL_SCREEN_BELOW } from '@forecourt/slots/ui';
import { KeywordBox } from './KeywordBox.tsx';

const isSmallScreen = () => window.matchMedia(`(max-width: ${SMALL_SCREEN_BELOW - 0.02}px)`).matches;

/** Keyword search: in a dialog on small screens, otherwise with a panel below the field. */
export function KeywordSearch(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <KeywordBox
        text={text}
        onType={setText}
        // Focusing the field with the keyboard doesn't open the dialog; a tap or a typed character does.
        onUse={() => isSmallScreen() && setIsOpen(true)}
        hasPanel={!isOpen}
        onDone={() => setText('')}
      />
      <Dialog open={isOpen} title="Keyword Search" onClose={() => setIsOpen(false)}>
        <KeywordBox
          text={text}
          onType={setText}
          hasAutofocus
          hasPanel
          isInDialog
          onDone={() => {
            setIsOpen(false);
            setText('');
          }}
        />
      </Dialog>
    </>
  );
}
