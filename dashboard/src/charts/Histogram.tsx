import { scaleLinear } from '@visx/scale';
import { useFormat } from '../i18n/texts.tsx';
import { useWidth } from './useWidth.ts';

export interface Bucket {
  from: number;
  to: number;
  count: number;
}

const HEIGHT = 220;
const MARGIN = { top: 22, bottom: 26 };

/** Narrower bars tell where they begin; both bounds of each would overlap. */
const MIN_STEP_FOR_BOTH_BOUNDS = 52;

/** How many of something fall between bounds. Each bar bears its number. */
export function Histogram({ buckets }: { buckets: readonly Bucket[] }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const format = useFormat();
  const highest = Math.max(...buckets.map(({ count }) => count), 1);
  const y = scaleLinear<number>({ domain: [0, highest], range: [HEIGHT - MARGIN.top - MARGIN.bottom, 0] });
  const step = width / Math.max(buckets.length, 1);
  return (
    <div className="chart" ref={frame}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="presentation">
          <g transform={`translate(0 ${MARGIN.top})`}>
            {buckets.map(({ from, to, count }, index) => (
              <g key={from} transform={`translate(${index * step} 0)`}>
                <rect
                  className="bar series-1"
                  x={step * 0.1}
                  width={step * 0.8}
                  y={y(count)}
                  height={y(0) - y(count)}
                  rx={2}
                />
                <text className="bar-count" x={step / 2} y={y(count) - 6}>
                  {count === 0 ? '' : format.number(count)}
                </text>
                <text className="bar-label" x={step / 2} y={y(0) + 18}>
                  {step < MIN_STEP_FOR_BOTH_BOUNDS
                    ? format.number(from * 100)
                    : `${format.number(from * 100)}–${format.number(to * 100)}`}
                </text>
              </g>
            ))}
            <line className="axis" x2={width} y1={y(0)} y2={y(0)} />
          </g>
        </svg>
      )}
    </div>
  );
}
