import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';

interface Props {
  count: number;
  total?: string | undefined;
  hasNext: boolean;
  hasPrevious: boolean;
  onNext: () => void;
  onPrevious: () => void;
}

/** Pages of a list, each read by its cursor: the thousandth costs what the first does. */
export function Pager({ count, total, hasNext, hasPrevious, onNext, onPrevious }: Props) {
  const { common } = useTexts();
  return (
    <nav className="pager" aria-label={common.pageOf(count)}>
      <span className="quiet">
        {common.pageOf(count)}
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
