import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTexts } from '../i18n/texts.tsx';
import { Icon } from './Icon.tsx';

/** A value of the machine's, with a button that copies it. `what` names it to screen readers. */
export function Copyable({ value, what, block = false }: { value: string; what: string; block?: boolean }) {
  const { common } = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <span className={block ? 'copyable block' : 'copyable'}>
      <code>{value}</code>
      <Button className="copy" aria-label={common.copyOf(what)} onPress={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      </Button>
      <span className="sr-only" role="status">
        {isCopied ? common.copied : ''}
      </span>
    </span>
  );
}
