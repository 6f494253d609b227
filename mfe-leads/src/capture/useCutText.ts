import { useEffect, useRef, type RefObject } from 'react';

/**
 * Hears of text that a field with a `maxlength` did not take: the browser cuts
 * what is typed or pasted without a word, and what is left of an address may
 * be somebody else's.
 */
export function useCutText(ref: RefObject<HTMLInputElement | null>, onCut: (text: string) => void): void {
  const latest = useRef(onCut);
  useEffect(() => {
    latest.current = onCut;
  });
  useEffect(() => {
    const input = ref.current;
    if (!input) return undefined;
    let isTaken = false;
    const taken = () => {
      isTaken = true;
    };
    const hear = ({ data }: InputEvent) => {
      const text = data?.trim() ?? '';
      if (text === '') return;
      isTaken = false;
      setTimeout(() => {
        const isWhole = isTaken && input.value.includes(text);
        if (!isWhole && input.value.length >= input.maxLength) latest.current(text);
      });
    };
    input.addEventListener('beforeinput', hear);
    input.addEventListener('input', taken);
    return () => {
      input.removeEventListener('beforeinput', hear);
      input.removeEventListener('input', taken);
    };
  }, [ref]);
}
