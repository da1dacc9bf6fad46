import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { execute, GraphQLList, GraphQLSchema, isListType, isNonNullType } from 'graphql';
import type { DocumentNode, GraphQLOutputType } from 'graphql';
import type { AppCaller } from '../../src/access/Caller.js';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { ALL_SCOPES } from '../../src/domain/scopes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { AS_OBJECTS } from '../../src/documents/DocumentForms.js';
import { printSpliced } from '../../src/documents/StoredText.js';
import type { CompiledOperation } from '../../src/execution/OperationCompiler.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { acceptClaim } from '../support/acceptClaim.js';
import { claimBody, grant, makeCustomer } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

/**
 * A service with customers in every state that reads tell apart, and its guarded schema once more for direct
 * execution.
 */
export class ExecutionFixture {
  readonly service: TestService;
  readonly app: TestPartner;
  readonly compiler = new OperationCompiler(buildGuardedSchema());
  /** With facts and claims; with consent only; without any; of nobody. */
  readonly customers: readonly string[];
  readonly receiptId: string;
  private readonly nullable = withoutNonNull(this.compiler.schema);

  private constructor(service: TestService, app: TestPartner, customers: string[], receiptId: string) {
    this.service = service;
    this.app = app;
    this.customers = customers;
    this.receiptId = receiptId;
  }

  static async open(): Promise<ExecutionFixture> {
    // Without background work: learning would write facts anew between two answers that are compared.
    const service = await TestService.start({ ROLE: 'gateway' });
    const app = await service.makeApp();
    const full = await makeCustomer(app, { profile: { username: 'ada', public_location: { city: 'Kiel' } } });
    const receiptId = await grant(app, full, 'personalization', 'analytics');
    for (const claim of claims(full)) await acceptClaim(service, app, claim);
    const granted = await makeCustomer(app, { metadata: { tier: 'gold', nested: { none: null } } });
    await grant(app, granted, 'support');
    const bare = await makeCustomer(app);
    service.services.clock = () => new Date('2026-11-20T12:00:00.000Z');
    return new ExecutionFixture(
      service,
      app,
      [full, granted, bare, 'cus_00000000000000000000000000'],
      receiptId,
    );
  }

  get schema(): GraphQLSchema {
    return this.compiler.schema;
  }

  caller(scopes: readonly Scope[] = ALL_SCOPES): AppCaller {
    return { kind: 'app', appId: this.app.appId, clientId: this.app.appId, scopes: new Set(scopes) };
  }

  /** The operation as graphql-js alone executes it: what compiled ones are compared with. */
  plain(document: DocumentNode): CompiledOperation {
    return executed(this.schema, document);
  }

  /** The operation with every field allowed to be null: its answer tells all errors, since none spreads. */
  withoutSpreading(document: DocumentNode): CompiledOperation {
    return executed(this.nullable, document);
  }
}

function executed(schema: GraphQLSchema, document: DocumentNode): CompiledOperation {
  const run: CompiledOperation['run'] = (_root, contextValue, variableValues) =>
    execute({ schema, document, variableValues, contextValue });
  return { forms: AS_OBJECTS, run, print: printSpliced };
}

/** Assumed valid, for its types lack what their interface promises. */
function withoutNonNull(schema: GraphQLSchema): GraphQLSchema {
  const nullable = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => ({ ...field, type: nullableType(field.type) }),
  });
  return new GraphQLSchema({ ...nullable.toConfig(), assumeValid: true });
}

function nullableType(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return nullableType(type.ofType);
  return isListType(type) ? new GraphQLList(nullableType(type.ofType)) : type;
}

function claims(customerId: string): Record<string, unknown>[] {
  const provenance = {
    source_partner: 'Harbour "Books"',
    collected_at: '2026-01-02T03:04:05.000Z',
    source_system: 'crm\u2028',
    evidence_url: 'https://partner.example/e/1',
  };
  return [
    claimBody(customerId, { context: 'at the till' }),
    claimBody(customerId, { value: 'poetry', source: 'survey', confidence: 0.4, provenance }),
    claimBody(customerId, {
      attribute: 'address',
      value: { city: 'Köln', line: null, 'odd "name"': [1, 2.5, true] },
    }),
    claimBody(customerId, { attribute: 'languages', value: ['de', 'en'], consent_purpose: 'analytics' }),
    claimBody(customerId, { attribute: 'age', value: 41, consent_purpose: 'analytics', confidence: 1 }),
  ];
}
