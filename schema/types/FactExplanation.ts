import { Float, ID, Int, ObjectType } from 'type-graphql';
import type {
  DependenceModel as Dependence,
  HalfLifeOrigin as Origin,
} from '../../src/domain/resolution/types.js';
import { DependenceModel, HalfLifeOrigin } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';

@ObjectType({ description: 'The claim that another is suspected to be a copy of.' })
export class SuspectedOriginal {
  @NonNull(() => String, "The original's source.") of: string;

  @NonNull(() => Float, 'Probability that the claim is a copy, before its value is looked at.')
  probability: number;
}

@ObjectType({ description: "What one claim did to a fact's confidence." })
export class ClaimShare {
  @NonNull(() => ID) claimId: string;
  @NonNull(() => String) source: string;
  @NonNull(() => Boolean, 'Whether the claim is of the resolved value.') supports: boolean;

  @NonNull(
    () => Float,
    "What the claim added to the fact's log-odds (natural logarithm); negative when it speaks against.",
  )
  logOdds: number;

  @NonNull(() => Float, 'Estimated probability that a claim of this source is right.') sourceAccuracy: number;

  @NonNull(
    () => Float,
    'Estimated probability that this claim was right when observed, its stated confidence considered.',
  )
  reliability: number;

  @NonNull(() => Float, 'Probability that the truth has not changed since the claim was observed.')
  decay: number;

  @Nullable(() => SuspectedOriginal, 'Log-odds lost because the source seems to copy others.')
  copying?: SuspectedOriginal | null;
}

@ObjectType({ description: 'What the age of the claims does to a confidence.' })
export class AgeEffect {
  @Nullable(
    () => Float,
    'Days after which the true value has changed with probability one half; null: it never changes.',
  )
  halfLifeDays: number | null;

  @NonNull(() => HalfLifeOrigin, 'Where the half-life comes from.') origin: Origin;

  @NonNull(() => Float, 'The confidence there would be if the value never changed.')
  confidenceWithout: number;
}

@ObjectType({ description: 'The model of the sources that learning chose on the claims themselves.' })
export class ResolutionModel {
  @NonNull(() => DependenceModel, 'How sources are taken to depend on each other.') dependence: Dependence;
  @NonNull(() => Boolean, 'Whether sources have an accuracy for each attribute.') byAttribute: boolean;

  @NonNull(
    () => Float,
    'Log-probability (natural logarithm) that it gives to a held-out claim, above what independent sources with one accuracy each give.',
  )
  gain: number;
}

@ObjectType({
  description:
    "How a fact's confidence came about: prior + change + calibration + normalisation + omitted + the sum of the shares' logOdds is logOdds.",
})
export class FactExplanation {
  @NonNull(() => Float, 'Log-odds (natural logarithm) of the confidence.') logOdds: number;
  @NonNull(() => Float, 'Log-odds of the value before any claim.') prior: number;

  @NonNull(() => Float, 'Log-odds lost or regained because the truth may have changed over time.')
  change: number;

  @NonNull(
    () => Float,
    'Log-odds lost or gained because independent held-out claims bear winners like this out less, or more, than their posterior says.',
  )
  calibration: number;

  @NonNull(
    () => Float,
    'Bounds of the reported confidence; for a union, what the mean over its elements adds.',
  )
  normalisation: number;

  @NonNull(() => [ClaimShare], 'In order of observation; the 100 strongest.') shares: ClaimShare[];
  @NonNull(() => Float, 'Sum of the shares that are left out.') omitted: number;

  @NonNull(() => Int, 'Version of the learned source accuracies that was used; 0: nothing learned yet.')
  accuracyVersion: number;

  @Nullable(() => AgeEffect, 'Null of a fact that was resolved before ages were told.') age: AgeEffect | null;

  @Nullable(() => ResolutionModel, 'Null of a fact that was resolved before models were chosen.')
  model: ResolutionModel | null;
}
