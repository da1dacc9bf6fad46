import { useFormat } from '../i18n/texts.tsx';

/** A probability as a bar with its number. */
export function Meter({ value, label }: { value: number; label: string }) {
  const format = useFormat();
  const tone = value >= 0.8 ? 'high' : value >= 0.5 ? 'middle' : 'low';
  return (
    <span className={`meter ${tone}`}>
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${format.percent(value)}`}
      >
        <rect className="track" width="100" height="6" rx="3" />
        <rect className="fill" width={Math.max(value * 100, 1)} height="6" rx="3" />
      </svg>
      <span className="number" aria-hidden="true">
        {format.percent(value)}
      </span>
    </span>
  );
}
