import { Field, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { WorkflowStatus, WorkflowType } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Why a workflow failed.' })
export class WorkflowError {
  @Field(() => String)
  code: string;

  @Field(() => String)
  message: string;

  @Field(() => String, { nullable: true })
  field?: string | null;
}

@ObjectType({ implements: Node, description: 'Asynchronous work and how far it has come.' })
export class Workflow {
  @Field(() => ID)
  id: string;

  @Field(() => WorkflowType)
  type: string;

  @Field(() => WorkflowStatus)
  status: string;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;

  @Field(() => WorkflowError, { nullable: true })
  error?: WorkflowError | null;
}

export const WorkflowConnection = connectionOf('Workflow', () => Workflow);
