import { scaleLinear } from '@visx/scale';
import type { Texts } from '../../i18n/en.ts';
import { useFormat, useTexts } from '../../i18n/texts.tsx';
import type { Explanation, Share, Step } from './waterfallSteps.ts';
import { waterfallSteps } from './waterfallSteps.ts';

/** How a confidence came about, step by step: a table whose bars line up under each other. */
export function Waterfall({ explanation }: { explanation: Explanation }) {
  const { customer: texts } = useTexts();
  const steps = waterfallSteps(explanation);
  const ends = [0, ...steps.flatMap(({ from, to }) => [from, to])];
  const scale = scaleLinear<number>({ domain: [Math.min(...ends), Math.max(...ends)], range: [2, 98] });
  return (
    <>
      <p className="quiet small">{texts.explanationLead}</p>
      <table className="waterfall">
        <caption className="sr-only">{texts.explanation}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{texts.step}</th>
            <th scope="col">{texts.contribution}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepRow key={step.key} step={step} at={scale} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function StepRow({ step, at }: { step: Step; at: (value: number) => number }) {
  const { customer: texts } = useTexts();
  const format = useFormat();
  const [left, right] = [at(step.from), at(step.to)].toSorted((a, b) => a - b) as [number, number];
  const tone =
    step.kind === 'result' || step.kind === 'prior' ? step.kind : step.to >= step.from ? 'for' : 'against';
  return (
    <tr className={tone}>
      <th scope="row">
        {nameOf(step, texts)}
        {step.share !== undefined && (
          <span className="under">{aboutShare(step.share, texts, format.percent)}</span>
        )}
      </th>
      <td className="bars" aria-hidden="true">
        <svg viewBox="0 0 100 20" preserveAspectRatio="none">
          <line className="zero" x1={at(0)} x2={at(0)} y1="0" y2="20" />
          <rect x={left} width={Math.max(right - left, 0.6)} y="4" height="12" />
        </svg>
      </td>
      <td className="end">{format.signed(step.kind === 'result' ? step.to : step.to - step.from)}</td>
    </tr>
  );
}

function nameOf(step: Step, texts: Texts['customer']): string {
  return step.kind === 'claim' ? texts.claimOf(step.share?.source ?? '') : texts[step.kind];
}

function aboutShare(share: Share, texts: Texts['customer'], percent: (share: number) => string): string {
  const { copying, decay, sourceAccuracy } = share;
  const parts = [
    texts.accuracy(percent(sourceAccuracy)),
    ...(decay < 0.995 ? [texts.decay(percent(decay))] : []),
    ...(copying === null ? [] : [texts.copyOf(copying.of, percent(copying.probability))]),
  ];
  return parts.join(' · ');
}
