import { useEffect } from 'react';

/**
 * When what has the focus goes or can no longer be used, the focus goes to the button beside it, or to the
 * page. It would be lost at the top of the document otherwise.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    let frame = 0;
    const look = (): void => {
      cancelAnimationFrame(frame);
      // A dialog that closes gives the focus back within a frame of the last change.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          const { activeElement, body } = document;
          if (activeElement === body && last !== null && isLost(last)) moveFocusFrom(last);
          last = document.activeElement === body ? null : document.activeElement;
        });
      });
    };
    const note = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : null;
    };
    const changes = new MutationObserver(look);
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', look);
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', look);
    };
  }, []);
}

function isLost(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled');
}

function moveFocusFrom(lost: Element): void {
  const beside = lost.parentElement?.querySelector<HTMLElement>('button:enabled');
  const target = (lost.isConnected ? beside : null) ?? document.querySelector<HTMLElement>('#main');
  target?.focus({ preventScroll: true });
}
