import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear, scaleTime, scaleUtc } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { PointerEvent } from 'react';
import { useState } from 'react';
import type { Format } from '../i18n/format.ts';
import { useFormat } from '../i18n/texts.tsx';
import { useWidth } from './useWidth.ts';

export interface Series {
  name: string;
  /** One of the style sheet's series colours. */
  color: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** A value to each of the chart's times; null where there is none. */
  values: readonly (number | null)[];
}

interface Props {
  /** Starts of the steps, oldest first. */
  times: readonly string[];
  series: readonly Series[];
  /** How a value is written. */
  write: (value: number) => string;
  /** Whether a step is shorter than a day, so that its hour matters. */
  hourly: boolean;
}

const HEIGHT = 220;
const MARGIN = { top: 8, right: 12, bottom: 26, left: 46 };

/**
 * Lines over time. What is under the pointer is read out in the legend; the same numbers stand in the table.
 */
export function TimeChart({ times, series, write, hourly }: Props) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number>();
  const format = useFormat();
  const inner = Math.max(width - MARGIN.left - MARGIN.right, 10);
  const dates = times.map((time) => new Date(time));
  const scaleDates = hourly ? scaleTime : scaleUtc;
  const x = scaleDates({ domain: [dates[0] ?? new Date(), dates.at(-1) ?? new Date()], range: [0, inner] });
  const highest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 1);
  const y = scaleLinear<number>({
    domain: [0, highest],
    range: [HEIGHT - MARGIN.top - MARGIN.bottom, 0],
    nice: 4,
  });
  // Most are counts: there is no half customer.
  const ticks = y.ticks(4).filter(Number.isInteger);
  const follow = (event: PointerEvent<SVGRectElement>): void => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setAt(nearest(dates, x.invert(left)));
  };
  const shown = at ?? times.length - 1;
  const time = times[shown];
  return (
    <div className="chart" ref={frame}>
      <Legend
        series={series}
        at={shown}
        write={write}
        time={time === undefined ? '' : format.step(time, hourly)}
      />
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="presentation">
          <g transform={`translate(${MARGIN.left} ${MARGIN.top})`}>
            {ticks.map((tick) => (
              <line key={tick} className="grid" x2={inner} y1={y(tick)} y2={y(tick)} />
            ))}
            {at !== undefined && (
              <line className="cursor" x1={x(dates[at] ?? 0)} x2={x(dates[at] ?? 0)} y2={y(0)} />
            )}
            {series.map(({ name, color, values }) => (
              <LinePath
                key={name}
                className={`line series-${color}`}
                data={values.map((value, index) => ({ value, date: dates[index] ?? new Date() }))}
                defined={({ value }) => value !== null}
                x={({ date }) => x(date)}
                y={({ value }) => y(value ?? 0)}
              />
            ))}
            {series.map(({ name, color, values }) => (
              <Dot key={name} color={color} x={x(dates[shown] ?? 0)} value={values[shown] ?? null} y={y} />
            ))}
            <AxisLeft
              scale={y}
              tickValues={ticks}
              hideAxisLine
              hideTicks
              tickClassName="tick"
              tickFormat={(value) => format.number(Number(value))}
            />
            <AxisBottom
              top={y(0)}
              scale={x}
              numTicks={width < 480 ? 3 : 6}
              hideTicks
              axisLineClassName="axis"
              tickClassName="tick"
              tickFormat={(value) => tickText(value as Date, hourly, format)}
            />
            <rect
              className="catch"
              width={inner}
              height={y(0)}
              onPointerMove={follow}
              onPointerLeave={() => setAt(undefined)}
            />
          </g>
        </svg>
      )}
    </div>
  );
}

function tickText(date: Date, hourly: boolean, format: Pick<Format, 'clock' | 'day' | 'utcDay'>): string {
  const iso = date.toISOString();
  if (!hourly) return format.utcDay(iso);
  return format.clock(iso) === '00:00' ? format.day(iso) : format.clock(iso);
}

function nearest(dates: readonly Date[], wanted: Date): number {
  let best = 0;
  for (const [index, date] of dates.entries()) {
    if (Math.abs(Number(date) - Number(wanted)) < Math.abs(Number(dates[best]) - Number(wanted)))
      best = index;
  }
  return best;
}

interface LegendProps {
  series: readonly Series[];
  at: number;
  time: string;
  write: (value: number) => string;
}

function Legend({ series, at, time, write }: LegendProps) {
  return (
    <p className="legend">
      {series.map(({ name, color, values }) => {
        const value = values[at] ?? null;
        return (
          <span key={name}>
            <i className={`swatch series-${color}`} /> {name}{' '}
            <strong>{value === null ? '–' : write(value)}</strong>
          </span>
        );
      })}
      <span className="quiet">{time}</span>
    </p>
  );
}

function Dot({
  color,
  x,
  value,
  y,
}: {
  color: number;
  x: number;
  value: number | null;
  y: (value: number) => number;
}) {
  return value === null ? null : <circle className={`dot series-${color}`} cx={x} cy={y(value)} r={3.5} />;
}
