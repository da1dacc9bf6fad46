import { defaultFieldResolver, isObjectType, responsePathAsArray } from 'graphql';
import type {
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import type { Purpose } from '../domain/purposes.js';
import { readIdempotencyKey } from '../domain/idempotency.js';
import { clearlyOversize, unfitText, unstorable } from '../domain/jsonValue.js';
import { notFound, ServiceError } from '../errors.js';
import type { Caller } from './Caller.js';
import { accessOf, authorize } from './FieldAccess.js';
import type { FieldAccess } from './FieldAccess.js';
import { gateDenials } from './gateDenials.js';
import { GateClosed, GateOpen } from './consentGate.js';
import { hashInSlices } from './hashInSlices.js';
import { coercedSpelling, readShape } from './inputShape.js';
import { refuseShape } from './refuseShape.js';
import { refuseUnknownDirectives } from './refuseUnknownDirectives.js';
import type { OperationClass } from './RateLimiter.js';
import { recordAct } from './recordAct.js';
import type { CommandCall, RequestContext } from './RequestContext.js';
import { StoredJson } from '../documents/FreeForm.js';
import { StoredText } from '../documents/StoredText.js';
import { resourcesOf } from './Charge.js';

type Args = Record<string, unknown>;
type Resolver = GraphQLFieldResolver<unknown, RequestContext, Args>;
type Field = GraphQLField<unknown, RequestContext, Args>;

/**
 * Wraps every marked field of the schema in its guard, once, for GraphQL and REST.
 *
 * @throws Error when a root field does not say who may use it, or a directive is misspelled: deny by default
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  refuseUnknownDirectives(schema);
  const mutation = schema.getMutationType();
  const subscription = schema.getSubscriptionType();
  const roots = [schema.getQueryType(), mutation, subscription];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      const access = accessOf(schema, field as GraphQLField<unknown, unknown>);
      const isRoot = roots.includes(type);
      if (isRoot) requireGuard(type, field, access);
      if (type === subscription) requireTopic(field);
      requireNamedScopes(type, field, access);
      if (access) guardField(field, access, isRoot ? classOf(field.name, type === mutation) : undefined);
    }
  }
  return schema;
}

function requireGuard(type: GraphQLObjectType, field: Field, access: FieldAccess | undefined): void {
  if (access?.scopes ?? access?.publicReason ?? access?.admin) return;
  throw new Error(
    `${type.name}.${field.name} has neither @requiresScopes nor @public: nobody decided who may use it.`,
  );
}

/** A subscription without a topic would never be woken. */
function requireTopic(field: Field): void {
  if (field.extensions['topic'] === undefined)
    throw new Error(`Subscription.${field.name} does not say with @Live what wakes it.`);
}

/** An empty alternative would open the field to every token. */
function requireNamedScopes(type: GraphQLObjectType, field: Field, access: FieldAccess | undefined): void {
  const { scopes } = access ?? {};
  if (scopes === undefined || (scopes.length > 0 && scopes.every((combination) => combination.length > 0)))
    return;
  throw new Error(`${type.name}.${field.name} has an empty @requiresScopes: it would ask for nothing.`);
}

/** @param operationClass the limit that a root field counts against; undefined below the roots */
function guardField(field: Field, access: FieldAccess, operationClass: OperationClass | undefined): void {
  const resolve = field.resolve ?? (defaultFieldResolver as Resolver);
  const gated = access.consent === undefined ? resolve : throughGate(resolve, access.consent);
  const isRead = operationClass === undefined || operationClass === 'read';
  const inner = isRead ? withCleanArgs(gated) : asCommand(field, operationClass, gated);
  field.resolve = async (source, args, context, info) => {
    if (!isRead && context.identify !== undefined) await identifyForField(context, context.identify);
    if (operationClass === undefined || context.decided?.field !== field.name)
      authorize(access, context.caller);
    const isAct = operationClass !== undefined && context.caller.kind === 'admin';
    const value: unknown = isAct
      ? await recordAct(field.name, args, context, async () => inner(source, args, context, info))
      : await inner(source, args, context, info);
    context.charge.resources += resourcesIn(value);
    return value;
  };
}

/**
 * Identifies the caller of every mutation field after the first. Fields run one after another, for seconds in
 * all, and their caller's access may end between two of them.
 *
 * @throws ServiceError the refusal of a new request
 */
async function identifyForField(context: RequestContext, identify: () => Promise<Caller>): Promise<void> {
  if (context.hasBegun === true) context.caller = await identify();
  context.hasBegun = true;
}

/**
 * The number of resources in a field's value: one, the items of a list or page, a profile and its facts.
 * Large values count by their length, whether they are shown or not.
 */
export function resourcesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Error) return 0;
  if (value instanceof StoredText) return Math.max(value.count, resourcesOf(value.text.length));
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + resourcesIn(item), 0);
  const { nodes, facts } = value as { nodes?: unknown; facts?: unknown };
  if (nodes !== undefined) return resourcesIn(nodes);
  let length = 0;
  for (const member of Object.values(value)) if (member instanceof StoredJson) length += member.text.length;
  return Math.max(1, resourcesOf(length)) + resourcesIn(facts);
}

/** The limit that a root field counts against. */
export function classOf(fieldName: string, isMutation: boolean): OperationClass {
  if (!isMutation) return 'read';
  if (fieldName === 'revokeConsentReceipt') return 'revoke';
  return fieldName.startsWith('ingest') ? 'ingest' : 'write';
}

/** The points of a mutation; a batch has one per item. */
function pointsOf({ input }: Args): number {
  const batch = Object.values(input ?? {}).find(
    (value) => Array.isArray(value) && value.some((item) => typeof item === 'object'),
  ) as unknown[] | undefined;
  return Math.max(1, batch?.length ?? 1);
}

/** Refuses what is too long, and text that PostgreSQL cannot store: no stored id equals it. */
function withCleanArgs(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    // The bridge has already refused such values in path and query.
    if (context.decided?.field !== info.fieldName) requireFit(args);
    return resolve(source, args, context, info);
  };
}

/** @throws ServiceError `invalid_request` naming every bad argument */
function requireFit(args: Args): void {
  const details = Object.entries(args).flatMap(([field, value]) => {
    const message =
      typeof value === 'string' ? unfitText(value) : (clearlyOversize(value) ?? unstorable(value));
    return message === undefined ? [] : [{ code: 'invalid_parameter', message, field }];
  });
  if (details.length === 0) return;
  const names = details.map(({ field }) => field).join(', ');
  throw new ServiceError('invalid_request', `The arguments are not valid: ${names}.`, { details });
}

/** Unwraps an allowed value. A value that passed no gate is never returned. */
function throughGate(resolve: Resolver, consent: { purpose?: Purpose; argument?: string }): Resolver {
  return async (source, args, context, info) => {
    const purpose = consent.purpose ?? purposeArgument(args, consent.argument);
    const result: unknown = await resolve(source, args, context, info);
    const open = (item: unknown, index = 0): unknown => {
      if (item instanceof GateClosed)
        countDenial(item, context, [...responsePathAsArray(info.path), index].join('.'));
      return opened(item, purpose);
    };
    return Array.isArray(result)
      ? result.map((item: unknown, index) => orError(item, () => open(item, index)))
      : open(result);
  };
}

/** Counts a denial once for its place in the answer, as a query may be executed twice (`runExactly`). */
function countDenial({ purpose, gate }: GateClosed, context: RequestContext, place: string): void {
  context.denied ??= new Set();
  if (context.denied.has(place)) return;
  context.denied.add(place);
  gateDenials.inc({ purpose, gate });
}

function purposeArgument(args: Args, name: string | undefined): Purpose | undefined {
  return name === undefined ? undefined : ((args[name] ?? undefined) as Purpose | undefined);
}

function opened(result: unknown, purpose: Purpose | undefined): unknown {
  if (result === null) return null;
  // Gates belong to customers: no value means no such customer.
  if (result === undefined) throw notFound('customer');
  if (result instanceof GateClosed) throw consentDenied(result);
  if (result instanceof GateOpen && (purpose === undefined || result.admits(purpose))) return result.value;
  throw new Error(
    `A value reached a @consent field without passing its gate${purpose ? ` for ${purpose}` : ''}.`,
  );
}

/** Each item of a list is decided separately: one denial does not affect the others. */
function orError(item: unknown, open: () => unknown): unknown {
  if (item instanceof Error) return item;
  try {
    return open();
  } catch (error) {
    return error;
  }
}

export function consentDenied({ purpose, gate }: GateClosed): ServiceError {
  return new ServiceError('consent_denied', `The purpose ${purpose} is not granted.`, { purpose, gate });
}

/** Runs a mutation as a command. Checks key, replay and shape here unless the caller has. */
function asCommand(field: Field, operationClass: OperationClass, resolve: Resolver): Resolver {
  const inputType = field.args.find((arg) => arg.name === 'input')?.type;
  return async (source, args, context, info) => {
    await context.charge.spend(operationClass, pointsOf(args));
    const decided = context.decided?.field === field.name ? { ...context.decided, args } : undefined;
    const { key, rejected, args: clean } = decided ?? (await decide(inputType, args, context));
    // An absent input is equal to an empty one.
    const said = inputType === undefined ? clean : { ...clean, input: clean['input'] ?? {} };
    const command = await commandCall(field.name, key, said, rejected);
    return resolve(source, clean, { ...context, command }, info);
  };
}

/** The checks of a mutation in their order (docs/contract.md#order-of-checks). @throws ServiceError */
async function decide(
  inputType: GraphQLInputType | undefined,
  args: Args,
  context: RequestContext,
): Promise<{ key: string; rejected: CommandCall['rejected']; args: Args }> {
  const { input, idempotencyKey, ...names } = args;
  const key = readIdempotencyKey(idempotencyKey as string | undefined);
  requireFit(names);
  if (inputType === undefined) return { key, rejected: new Map(), args };
  const shape = await readShape(inputType, input, coercedSpelling);
  // Only valid input may be hashed: invalid Unicode and unbounded nesting have no canonical form.
  if (shape.problems.length > 0) return refuseShape(context, key, shape);
  return { key, rejected: shape.rejected, args: { ...args, input: shape.value } };
}

async function commandCall(
  operation: string,
  key: string,
  args: Args,
  refused: CommandCall['rejected'],
): Promise<CommandCall> {
  const { idempotencyKey: _key, ...input } = args;
  const rejected = [...refused].map(([index, { raw }]) => [index, raw]);
  const hashed = rejected.length === 0 ? input : { ...input, rejected };
  return { operation, key, payloadHash: await hashInSlices(operation, hashed), rejected: refused };
}
