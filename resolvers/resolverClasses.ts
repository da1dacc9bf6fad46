import type { NonEmptyArray } from 'type-graphql';
import { connectionResolvers } from '../schema/connection.js';
import { AppResolver } from './AppResolver.js';
import { ClaimResolver } from './ClaimResolver.js';
import { ConnectionSessionResolver } from './ConnectionSessionResolver.js';
import { ConsentDecisionResolver } from './ConsentDecisionResolver.js';
import { ConsentResolver } from './ConsentResolver.js';
import { CustomerResolver } from './CustomerResolver.js';
import { EntryResolver } from './EntryResolver.js';
import { EventResolver } from './EventResolver.js';
import { IntentResolver } from './IntentResolver.js';
import { NodeResolver } from './NodeResolver.js';
import { OntologyResolver } from './OntologyResolver.js';
import { FactResolver } from './FactResolver.js';
import { OverviewResolver } from './OverviewResolver.js';
import { RequestLogResolver } from './RequestLogResolver.js';
import { ItemErrorDetailResolver, ItemErrorResolver } from './ItemErrorResolver.js';
import { ProfileResolver } from './ProfileResolver.js';
import { ViewerResolver } from './ViewerResolver.js';
import { SubscriptionResolver } from './SubscriptionResolver.js';
import { WebhookResolver } from './WebhookResolver.js';
import { WorkflowResolver } from './WorkflowResolver.js';

type ResolverClass = new () => object;

/** All resolver classes of the schema. Add new ones here. */
export const resolverClasses: NonEmptyArray<ResolverClass> = [
  AppResolver,
  ClaimResolver,
  ConnectionSessionResolver,
  ConsentDecisionResolver,
  ConsentResolver,
  CustomerResolver,
  EntryResolver,
  EventResolver,
  IntentResolver,
  NodeResolver,
  OntologyResolver,
  FactResolver,
  OverviewResolver,
  ItemErrorDetailResolver,
  ItemErrorResolver,
  ProfileResolver,
  RequestLogResolver,
  ViewerResolver,
  SubscriptionResolver,
  WebhookResolver,
  WorkflowResolver,
  ...connectionResolvers,
];
