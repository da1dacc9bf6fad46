import type { RequestContext } from '../access/RequestContext.js';
import type { Database } from '../database/Database.js';
import { isConnectionLost } from '../database/sqlState.js';
import type { Transaction } from '../database/Transaction.js';
import { ServiceError } from '../errors.js';
import type { CommandContext } from './CommandContext.js';
import type { Heads } from './customerHead.js';
import { lineOf } from '../concurrency/GroupCommit.js';
import type { GroupCommit, GroupedCall } from '../concurrency/GroupCommit.js';
import { groupedWrites, writeGroups } from './commandMetrics.js';
import { contextOf, inTurnOfKey, KEEP_RESULT, REUSE_EXPIRED, runInTurn } from './runCommand.js';

/** A command that may share a transaction with others of its kind. */
export interface GroupedOperation<Input, Result> {
  name: string;
  /**
   * The subject that the command locks, different for each call of a group. Undefined when it locks more;
   * then it runs alone.
   */
  subjectOf: (input: Input) => string | undefined;
  /** Locks the heads of the inputs' customers, if it needs any. Sent with the keys, in one flight. */
  lock?: (tx: Transaction, inputs: readonly Input[]) => Promise<Heads>;
  /**
   * Runs the command for each input. It refuses before it writes, so a refusal leaves no rows.
   *
   * @param heads what `lock` has locked
   * @returns the result or the refusal of each
   */
  runAll: (
    tx: Transaction,
    context: CommandContext,
    inputs: readonly Input[],
    heads: Heads,
  ) => Promise<readonly (Result | ServiceError)[]>;
  /** The customer whose data the result holds, so that erasing the customer erases the replay. */
  customerOf?: (result: Result) => string | undefined;
}

/** Maximum wait of a group for a lock; then each call waits on its own. */
const GROUP_WAIT = '250ms';

interface Call<Input> extends GroupedCall {
  request: RequestContext;
  payloadHash: string;
  input: Input;
  /** Maximum wait for a lock of a call that runs alone. */
  lockTimeout: string;
}

const NO_HEADS: Heads = new Map();

type Lines<Input, Result> = Map<string, GroupCommit<Call<Input>, Result>>;

/** The groups by database. */
const linesOf = new WeakMap<Database, Lines<unknown, unknown>>();

/**
 * As `runCommand`, for a command that shares its transaction with concurrent ones of its kind and app. Each
 * has its own key, result and refusal. A group commits as a whole; if it fails, each command runs alone.
 */
export async function runGrouped<Input, Result>(
  request: RequestContext,
  operation: GroupedOperation<Input, Result>,
  input: Input,
): Promise<Result> {
  const { services } = request;
  const { appId } = contextOf(request);
  await services.replayStorage.admit(appId);
  return inTurnOfKey(request, (lockTimeout, { key, payloadHash }) => {
    const subject = operation.subjectOf(input);
    const call = { request, input, lockTimeout };
    if (subject === undefined) return runAlone(operation, call);
    return lineFor(services.database, appId, operation).run({ ...call, subject, key, payloadHash });
  });
}

function lineFor<Input, Result>(
  database: Database,
  appId: string,
  operation: GroupedOperation<Input, Result>,
): GroupCommit<Call<Input>, Result> {
  const lines = linesOf.get(database) ?? new Map<string, never>();
  linesOf.set(database, lines);
  // A line contains calls of one operation only.
  return lineOf(lines as Lines<Input, Result>, `${appId} ${operation.name}`, {
    together: (calls) => runTogether(database, operation, calls),
    alone: (call) => runAlone(operation, call),
    mayRunAlone: (_call, failure) => !isConnectionLost(failure),
  });
}

function runAlone<Input, Result>(
  { lock, runAll, customerOf }: GroupedOperation<Input, Result>,
  { request, input, lockTimeout }: Pick<Call<Input>, 'request' | 'input' | 'lockTimeout'>,
): Promise<Result> {
  const work = async (tx: Transaction, context: CommandContext, heads?: Promise<Heads>): Promise<Result> => {
    const [outcome] = await runAll(tx, context, [input], (await heads) ?? NO_HEADS);
    if (outcome instanceof ServiceError) throw outcome;
    return outcome as Result;
  };
  return runInTurn(request, lockTimeout, work, {
    ...(lock === undefined ? {} : { ahead: (tx) => lock(tx, [input]) }),
    ...(customerOf === undefined ? {} : { customerOf }),
  });
}

/** Calls whose key was used before must run alone. */
async function runTogether<Input, Result>(
  database: Database,
  operation: GroupedOperation<Input, Result>,
  calls: readonly Call<Input>[],
): Promise<(PromiseSettledResult<Result> | undefined)[]> {
  const [first, second] = calls;
  if (first !== undefined && second === undefined) return Promise.allSettled([runAlone(operation, first)]);
  groupedWrites.inc(calls.length);
  try {
    const done = await inOneTransaction(database, operation, calls);
    writeGroups.inc({ outcome: 'together' });
    return calls.map((call) => settledAs(done.get(call)));
  } catch (error) {
    writeGroups.inc({ outcome: 'apart' });
    throw error;
  }
}

function settledAs<Result>(
  outcome: Result | ServiceError | undefined,
): PromiseSettledResult<Result> | undefined {
  if (outcome instanceof ServiceError) return { status: 'rejected', reason: outcome };
  return outcome === undefined ? undefined : { status: 'fulfilled', value: outcome };
}

type Outcomes<Input, Result> = Map<Call<Input>, Result | ServiceError>;

function inOneTransaction<Input, Result>(
  database: Database,
  operation: GroupedOperation<Input, Result>,
  calls: readonly Call<Input>[],
): Promise<Outcomes<Input, Result>> {
  const [first] = calls;
  if (first === undefined) throw new Error('A group has no calls.');
  const context = contextOf(first.request);
  const { lock, runAll } = operation;
  const work = async (tx: Transaction): Promise<Outcomes<Input, Result>> => {
    // Both are sent in one flight. A head that was locked for a used key is released at the commit.
    const inputs = calls.map(({ input }) => input);
    const [taken, heads] = await Promise.all([takeKeys(tx, calls), lock?.(tx, inputs) ?? NO_HEADS]);
    const fresh = calls.filter(({ key }) => taken.has(key));
    if (fresh.length === 0) return new Map();
    const outcomes = await runAll(
      tx,
      context,
      fresh.map(({ input }) => input),
      heads,
    );
    const done: Outcomes<Input, Result> = new Map(
      fresh.map((call, at) => [call, outcomes[at] as Result | ServiceError]),
    );
    keepResults(tx, first.request, done, operation.customerOf);
    return done;
  };
  return database.transaction(context.appId, work, { byKeys: true, lockTimeout: GROUP_WAIT });
}

/** @returns the free keys, which are taken now */
async function takeKeys(
  tx: Transaction,
  calls: readonly (GroupedCall & { payloadHash: string })[],
): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(
    `INSERT INTO idempotency_keys AS k (app_id, key, payload_hash, created_at)
     SELECT $1, key, payload_hash, now()
       FROM unnest($2::text[], $3::text[]) AS given (key, payload_hash) ORDER BY key
     ${REUSE_EXPIRED} RETURNING key`,
    [tx.appId, calls.map(({ key }) => key), calls.map(({ payloadHash }) => payloadHash)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Stores the results. The keys of refused commands are free again. */
function keepResults<Input, Result>(
  tx: Transaction,
  { services }: RequestContext,
  done: Outcomes<Input, Result>,
  customerOf: (result: Result) => string | undefined = () => undefined,
): void {
  const kept: { key: string; payloadHash: string; text: string; customerId: string | null }[] = [];
  const refused: string[] = [];
  for (const [{ key, payloadHash }, outcome] of done) {
    if (outcome instanceof ServiceError) refused.push(key);
    else
      kept.push({ key, payloadHash, text: JSON.stringify(outcome), customerId: customerOf(outcome) ?? null });
  }
  const bytes = kept.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  tx.afterCommit(() => services.replayStorage.keep(tx.app, bytes));
  if (kept.length > 0)
    tx.send(
      `INSERT INTO idempotency_keys (app_id, created_at, key, payload_hash, result, customer_id)
       SELECT $1, now(), given.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS given
         ${KEEP_RESULT}`,
      [
        tx.appId,
        kept.map(({ key }) => key),
        kept.map(({ payloadHash }) => payloadHash),
        kept.map(({ text }) => text),
        kept.map(({ customerId }) => customerId),
      ],
    );
  if (refused.length > 0)
    tx.send('DELETE FROM idempotency_keys WHERE app_id = $1 AND key = ANY ($2)', [tx.appId, refused]);
}
