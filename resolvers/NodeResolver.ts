import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Resolver } from 'type-graphql';
import { Public } from '../schema/directives.js';
import { Node } from '../schema/types/Node.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { placeOfNode } from '../src/domain/nodeId.js';
import type { NodeType } from '../src/domain/nodeId.js';
import { notFound, ServiceError } from '../src/errors.js';
import { found } from './found.js';
import { NullableQuery } from './fields.js';

/** The root field that reads each type by its id. */
const ROOT_FIELDS: Readonly<Record<NodeType, string>> = {
  App: 'app',
  Customer: 'customer',
  ConnectionSession: 'connectionSession',
  ConsentReceipt: 'consentReceipt',
  Entry: 'entry',
  Event: 'event',
  Ontology: 'ontology',
  Workflow: 'workflow',
  WebhookDelivery: 'webhookDelivery',
  WebhookEndpoint: 'webhookEndpoint',
};

@Resolver()
export class NodeResolver {
  @NullableQuery(
    () => Node,
    "Reads a resource again by its id, with the scope and the gate of its type's own root field. An id of another app, or of nothing, is `NOT_FOUND`.",
  )
  @Public("It asks for the scopes of the root field of the id's type.")
  async node(
    @Arg('id', () => ID, { description: 'The `id` of anything that implements `Node`.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Node> {
    if (context.caller.kind === 'anonymous') throw new ServiceError('unauthenticated', context.caller.reason);
    const place = found(placeOfNode(id), 'node');
    const read = info.schema.getQueryType()?.getFields()[ROOT_FIELDS[place.type]]?.resolve;
    const reading = Promise.resolve(read?.(undefined, { id: place.id }, context, info));
    const resource = (await reading.catch(asNode)) as object | null | undefined;
    return { ...found(resource, 'node'), __typename: place.type } as unknown as Node;
  }
}

/** Which type an unknown id could have had says nothing: an ontology's can look like almost any text. */
function asNode(error: unknown): never {
  throw error instanceof ServiceError && error.code === 'not_found' ? notFound('node') : error;
}
