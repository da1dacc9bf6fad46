import { useEffect } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { announcement } from './announcement.ts';
import { Button } from './Button.tsx';

interface Props {
  count: number;
  /** Which page it is, if that is known. */
  page: number | undefined;
  total?: string | undefined;
  hasNext: boolean;
  hasPrevious: boolean;
  onNext: () => void;
  onPrevious: () => void;
}

/** Pages of a list, each read by its cursor: the thousandth costs what the first does. */
export function Pager({ count, page, total, hasNext, hasPrevious, onNext, onPrevious }: Props) {
  const { common } = useTexts();
  const text = common.pageOf(count, hasPrevious || hasNext ? page : undefined);
  useEffect(() => {
    announcement.set(text);
    return () => announcement.set('');
  }, [text]);
  return (
    <nav className="pager" aria-label={text}>
      <span className="quiet">
        {text}
        {total !== undefined && ` · ${total}`}
      </span>
      {(hasPrevious || hasNext) && (
        <span className="buttons">
          <Button icon="previous" isDisabled={!hasPrevious} onPress={onPrevious}>
            {common.previous}
          </Button>
          <Button icon="next" isDisabled={!hasNext} onPress={onNext}>
            {common.next}
          </Button>
        </span>
      )}
    </nav>
  );
}
