import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import type { StoredText } from '../../src/documents/StoredText.js';
import { ConsentPurpose } from '../enums.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';
import { Claim } from './Claim.js';

@ObjectType({ description: 'A value that lost.' })
export class Alternative {
  @Field(() => AttributeValueScalar)
  value: JsonValue;

  @Field(() => Float, { description: 'Posterior probability of this value, 0 to 1.' })
  confidence: number;

  @Field(() => String, {
    description: '`lower_confidence`, `older_observation`, `less_accurate_source` or `copied_source`.',
  })
  reason: string;
}

@ObjectType({ description: 'The value that claims of one purpose make most probable.' })
export class ResolvedProfileFact {
  @Field(() => String)
  attribute: string;

  @Field(() => AttributeValueScalar)
  resolvedValue: JsonValue;

  @Field(() => Float, { description: 'Posterior probability that the value is true, 0 to 1.' })
  confidence: number;

  @Field(() => String, {
    description: '`single_source`, `consensus`, `accuracy_vote`, `most_recent` or `union`.',
  })
  resolutionMethod: string;

  @Field(() => ConsentPurpose)
  consentPurpose: Purpose;

  @Field(() => [Claim], { description: 'The claims that support the value, strongest first, at most 20.' })
  evidence: Claim[];

  @Field(() => [Alternative], { nullable: true, description: 'At most 10, most probable first.' })
  alternatives?: Alternative[] | null;
}

@ObjectType({ description: 'The facts of the purposes that are granted now.' })
export class ResolvedProfile {
  @Field(() => ID)
  customerId: string;

  @Field(() => [ResolvedProfileFact])
  facts: ResolvedProfileFact[] | StoredText;

  @Field(() => DateTimeScalar, { description: 'When what is shown last changed.' })
  resolvedAt: string;
}
