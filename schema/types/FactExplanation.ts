import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type {
  DependenceModel as Dependence,
  HalfLifeOrigin as Origin,
} from '../../src/domain/resolution/types.js';
import { DependenceModel, HalfLifeOrigin } from '../enums.js';

@ObjectType({ description: 'The claim that another is suspected to be a copy of.' })
export class SuspectedOriginal {
  @Field(() => String, { description: "The original's source." })
  of: string;

  @Field(() => Float, { description: 'Probability that the claim is a copy, before its value is looked at.' })
  probability: number;
}

@ObjectType({ description: "What one claim did to a fact's confidence." })
export class ClaimShare {
  @Field(() => ID)
  claimId: string;

  @Field(() => String)
  source: string;

  @Field(() => Boolean, { description: 'Whether the claim is of the resolved value.' })
  supports: boolean;

  @Field(() => Float, {
    description:
      "What the claim added to the fact's log-odds (natural logarithm); negative when it speaks against.",
  })
  logOdds: number;

  @Field(() => Float, { description: 'Estimated probability that a claim of this source is right.' })
  sourceAccuracy: number;

  @Field(() => Float, {
    description:
      'Estimated probability that this claim was right when observed, its stated confidence considered.',
  })
  reliability: number;

  @Field(() => Float, {
    description: 'Probability that the truth has not changed since the claim was observed.',
  })
  decay: number;

  @Field(() => SuspectedOriginal, { nullable: true })
  copying?: SuspectedOriginal | null;
}

@ObjectType({ description: 'What the age of the claims does to a confidence.' })
export class AgeEffect {
  @Field(() => Float, {
    nullable: true,
    description:
      'Days after which the true value has changed with probability one half; null: it never changes.',
  })
  halfLifeDays: number | null;

  @Field(() => HalfLifeOrigin)
  origin: Origin;

  @Field(() => Float, { description: 'The confidence there would be if the value never changed.' })
  confidenceWithout: number;
}

@ObjectType({ description: 'The model of the sources that learning chose on the claims themselves.' })
export class ResolutionModel {
  @Field(() => DependenceModel)
  dependence: Dependence;

  @Field(() => Boolean, { description: 'Whether sources have an accuracy for each attribute.' })
  byAttribute: boolean;

  @Field(() => Float, {
    description:
      'Log-probability (natural logarithm) that it gives to a held-out claim, above what independent sources with one accuracy each give.',
  })
  gain: number;
}

@ObjectType({
  description:
    "How a fact's confidence came about: prior + change + calibration + normalisation + omitted + the sum of the shares' logOdds is logOdds.",
})
export class FactExplanation {
  @Field(() => Float, { description: 'Log-odds (natural logarithm) of the confidence.' })
  logOdds: number;

  @Field(() => Float, { description: 'Log-odds of the value before any claim.' })
  prior: number;

  @Field(() => Float, {
    description: 'Log-odds lost or regained because the truth may have changed over time.',
  })
  change: number;

  @Field(() => Float, {
    description:
      'Log-odds lost or gained because independent held-out claims bear winners like this out less, or more, than their posterior says.',
  })
  calibration: number;

  @Field(() => Float, {
    description: 'Bounds of the reported confidence; for a union, what the mean over its elements adds.',
  })
  normalisation: number;

  @Field(() => [ClaimShare], { description: 'In order of observation; the 100 strongest.' })
  shares: ClaimShare[];

  @Field(() => Float, { description: 'Sum of the shares that are left out.' })
  omitted: number;

  @Field(() => Int, {
    description: 'Version of the learned source accuracies that was used; 0: nothing learned yet.',
  })
  accuracyVersion: number;
  @Field(() => AgeEffect, {
    nullable: true,
    description: 'Null of a fact that was resolved before ages were told.',
  })
  age: AgeEffect | null;

  @Field(() => ResolutionModel, {
    nullable: true,
    description: 'Null of a fact that was resolved before models were chosen.',
  })
  model: ResolutionModel | null;
}
