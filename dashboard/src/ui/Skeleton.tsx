import { useTexts } from '../i18n/texts.tsx';

/** Lines where something will be. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  const { common } = useTexts();
  return (
    <div className="skeleton" role="status" aria-label={common.loading}>
      {Array.from({ length: lines }, (_line, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
