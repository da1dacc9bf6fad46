import type { LearningData } from './ClaimTable.js';
import { MAX_ATTRIBUTES } from './constants.js';
import type { FalseAgreement } from './FalseAgreement.js';
import { logistic } from './logOdds.js';
import type { PairTable } from './PairTable.js';
import type { SourceModel } from './SourceModel.js';
import type { AccuracySnapshot, SuspectedCopy } from './types.js';

/** What has been learned, as plain JSON in an order that depends on names only. */
export function snapshotOf(
  version: number,
  data: LearningData,
  model: SourceModel,
  pairs: PairTable,
  falseAgreement: FalseAgreement,
): AccuracySnapshot {
  return {
    version,
    facts: data.starts.length - 1,
    claims: data.sourceOf.length,
    unknownSource: {
      intercept: model.meanIntercept,
      slope: model.meanSlope,
      accuracy: logistic(model.meanIntercept),
    },
    falseAgreement: falseAgreement.overall,
    attributes: attributeRows(data.attributes, falseAgreement),
    sources: data.sources.map((source, index) => ({
      source,
      intercept: model.intercept[index] ?? 0,
      slope: model.slope[index] ?? 0,
      accuracy: (model.reliabilities[index] ?? 0) / Math.max(1, model.claims[index] ?? 0),
      claims: model.claims[index] ?? 0,
    })),
    copies: suspectedCopies(data.sources, pairs),
  };
}

/** The attributes with the most evidence; the others go by what holds over all. */
function attributeRows(attributes: readonly string[], falseAgreement: FalseAgreement): AccuracySnapshot['attributes'] {
  return [...attributes.keys()]
    .toSorted((a, b) => falseAgreement.pairs(b) - falseAgreement.pairs(a) || a - b)
    .slice(0, MAX_ATTRIBUTES)
    .toSorted((a, b) => a - b)
    .map((index) => ({ attribute: attributes[index] ?? '', falseAgreement: falseAgreement.of(index) }));
}

function suspectedCopies(sources: readonly string[], pairs: PairTable): SuspectedCopy[] {
  const compared = [...sources.keys()].filter((source) => pairs.isCompared(source));
  return compared.flatMap((first, index) =>
    compared.slice(index + 1).flatMap((second) => {
      const row = pairs.rowOf(first, second);
      if (pairs.copying(row) === 0) return [];
      const [a = '', b = ''] = [sources[first], sources[second]];
      return [{ first: a, second: b, probability: pairs.probability(row), rate: pairs.rate(row) }];
    }),
  );
}
