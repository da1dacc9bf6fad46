import { ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { WorkflowStatus, WorkflowType } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Why a workflow failed.' })
export class WorkflowError {
  @NonNull(() => String) code: string;
  @NonNull(() => String) message: string;
  @Nullable(() => String) field?: string | null;
}

@ObjectType({ implements: Node, description: 'Asynchronous work and how far it has come.' })
export class Workflow {
  @NonNull(() => ID) id: string;
  @NonNull(() => WorkflowType, 'What the workflow does.') type: string;
  @NonNull(() => WorkflowStatus) status: string;
  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
  @Nullable(() => WorkflowError) error?: WorkflowError | null;
}

export const WorkflowConnection = connectionOf('Workflow', () => Workflow);
