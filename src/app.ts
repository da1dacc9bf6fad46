import 'reflect-metadata';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { answerConnect } from './http/answerConnect.js';
import { buildGuardedSchema } from './start/buildGuardedSchema.js';
import { RateLimiter } from './access/RateLimiter.js';
import type { NewCount } from './access/RateLimiter.js';
import { ReplayStorage } from './access/ReplayStorage.js';
import { registerCommandMetrics } from './commands/commandMetrics.js';
import { newKeyTurns } from './commands/runCommand.js';
import { atMost } from './concurrency/atMost.js';
import { HeldBodies } from './concurrency/HeldBodies.js';
import { Turns } from './concurrency/Turns.js';
import { readAttributes } from './start/attributes.js';
import type { Config } from './config.js';
import { createWebApp } from './start/createWebApp.js';
import { openOperations } from './start/openOperations.js';
import { createDatabase } from './start/createDatabase.js';
import { createLog } from './start/createLog.js';
import { exportTelemetry } from './start/exportTelemetry.js';
import { refuseUnfitDistribution } from './database/citus/refuseUnfitDistribution.js';
import { SharedCounter } from './database/SharedCounter.js';
import { Replicas } from './database/Replicas.js';
import { Notices } from './database/Notices.js';
import { DatabaseClock } from './database/DatabaseClock.js';
import { openDatabase } from './database/openDatabase.js';
import type { OpenedDatabase } from './database/openDatabase.js';
import { dateIdsBy } from './domain/ids.js';
import { SecretBox } from './domain/SecretBox.js';
import { Documents } from './graphql/Documents.js';
import { LiveDoor } from './graphql/live/LiveDoor.js';
import { openSockets } from './graphql/live/openSockets.js';
import { trustDocuments } from './graphql/trustDocuments.js';
import { OperationCompiler } from './execution/OperationCompiler.js';
import { pageSessionDoor } from './pages/appPages/pageSessionDoor.js';
import { frontDoor } from './http/frontDoor.js';
import { refuseTakenPort } from './http/refuseTakenPort.js';
import { refuseUnreadable } from './http/refuseUnreadable.js';
import { HttpListener } from './http/HttpListener.js';
import type { Lifecycle } from './http/Lifecycle.js';
import { createRegistry } from './http/metrics.js';
import type { ToldMetrics } from './http/metrics.js';
import { measureConnections, measureProcess } from './http/processMetrics.js';
import { traceRequests } from './http/traceRequests.js';
import { RequestLog } from './http/RequestLog.js';
import { beginNotes } from './http/requestNotes.js';
import { strictTransport } from './http/strictTransport.js';
import { LiveChanges } from './live/LiveChanges.js';
import { measureLive } from './live/measureLive.js';
import { startJobs } from './jobs/startJobs.js';
import { OperatorLog } from './operators/OperatorLog.js';
import { createAuthorizationServer } from './oauth/createAuthorizationServer.js';
import { DASHBOARD, GRAPHIQL } from './oauth/firstPartyPages.js';
import { readIntentRules } from './start/intentRules.js';
import { prepareFolders } from './start/prepareFolders.js';
import { restoreWithdrawals } from './start/restoreWithdrawals.js';
import type { RequestServices, Services } from './Services.js';
import { VERSION } from './version.js';

export interface RunningService {
  /** The address it listens on; the base URL may differ behind a proxy. */
  url: string;
  /** The address of health, metrics and `/operator`, when they have a separate port. */
  operationsUrl: string | undefined;
  services: RequestServices;
  stop: () => Promise<void>;
}

/** How background work runs, and where further metrics come from. */
export interface Surroundings {
  /** Starts the background work of the role `all`; absent: it runs in this thread. */
  startWork?: StartWork;
  /** Collects the metrics of the other processes of this start. */
  otherMetrics?: () => Promise<ToldMetrics[]>;
  /** Counts rate limits together with other processes; absent: in this one. */
  newCount?: NewCount;
}

/** @param serviceUrl the URL of the database, for work that opens its own pool */
export type StartWork = (services: Services, serviceUrl: string) => Work;

/** Running background work. */
export interface Work {
  /** Takes no new work, and waits for work in progress. */
  stop(): Promise<void>;
  /** Its metrics, when they are not in this thread's registry. */
  metrics?(): Promise<ToldMetrics[]>;
}

/** Creates the whole service and starts the parts of its role. */
export async function startService(config: Config, surroundings: Surroundings = {}): Promise<RunningService> {
  const log = createLog(config.logLevel);
  const { role, trustedDocumentsFile, trustedDocumentsOnly: trustedOnly } = config;
  const documents = new Documents(new OperationCompiler(buildGuardedSchema()), { trustedOnly });
  if (trustedDocumentsFile !== undefined && role !== 'worker')
    await trustDocuments(documents, trustedDocumentsFile);
  const rules = {
    attributes: await readAttributes(config.attributesFile),
    intents: await readIntentRules(config.intentsFile),
  };
  await prepareFolders(config);
  for (const port of [config.port, config.operationsPort ?? 0]) await refuseTakenPort(config.host, port);
  const opened = await openDatabase(config, log);
  try {
    if (config.databaseUrl !== undefined) await refuseUnfitDistribution(opened.serviceUrl);
    return await startOn({ config, log, documents, rules, opened }, surroundings);
  } catch (error) {
    // Connections that break from here on only follow from the failure.
    log.level = 'silent';
    await opened.stop();
    throw error;
  }
}

/** What does not need the database, and the database. */
interface Prepared {
  config: Config;
  log: Logger;
  documents: Documents;
  rules: Pick<RequestServices, 'attributes' | 'intents'>;
  opened: OpenedDatabase;
}

async function startOn(
  { config, log, documents, rules, opened }: Prepared,
  { startWork = (work) => startJobs(work), otherMetrics = async () => [], newCount }: Surroundings,
): Promise<RunningService> {
  const journal = await restoreWithdrawals(opened.serviceUrl, config, log);
  const metrics = createRegistry();
  registerCommandMetrics(metrics);
  const telemetry = await exportTelemetry(config, metrics, log);
  const tracing = telemetry?.tracing;
  const database = createDatabase(opened.serviceUrl, config, log, { journal, tracing });
  const clock = (await DatabaseClock.read(database)).follow();
  dateIdsBy(clock.now);
  const core = {
    config,
    database,
    log,
    clock: clock.now,
    secrets: new SecretBox(config.secrets.secretsKey, config.secrets.otherSecretsKeys),
  };
  const notices = new Notices(core);
  const changes = new LiveChanges({ ...core, notices, recheckMs: config.liveRecheckMs });
  const authorization = await createAuthorizationServer({ ...core, notices });
  await notices.start();
  measureProcess(metrics, database, { version: VERSION, role: config.role });
  measureConnections(metrics, database);
  const replicas = openReplicas(opened, config, log, metrics);
  let work: Work | undefined;
  const services: RequestServices = {
    ...core,
    // Reads `services.clock` at each call: tests may replace it.
    operatorLog: new OperatorLog(database, () => services.clock()),
    ...rules,
    metrics,
    tracing,
    rateLimiter: new RateLimiter(config, newCount),
    replayStorage: new ReplayStorage(config, metrics, (rule) => new SharedCounter(database, rule)),
    turns: new Turns({ perApp: config.appConcurrency }),
    heldBodies: new HeldBodies(),
    parseTurns: new Turns({ perApp: 1, room: Infinity }),
    keyTurns: newKeyTurns(),
    signJws: authorization.signJws,
    ...(replicas === undefined ? {} : { replicas }),
    otherMetrics: async () => (await Promise.all([otherMetrics(), work?.metrics?.() ?? []])).flat(),
  };
  const requests = new RequestLog(services);
  const lifecycle: Lifecycle = { draining: false };
  measureLive(services.metrics, changes);
  const live = new LiveDoor({ services, documents, changes });
  const sessionDoors = [DASHBOARD, GRAPHIQL].map((page) => pageSessionDoor(services, page));
  const web = await createWebApp({ services, authorization, documents, lifecycle, live, sessionDoors });
  const prepare = [beginNotes(config.baseUrl), requests.begin.bind(requests), ...strictTransport(config)];
  const front = traceRequests(tracing, frontDoor(web.app, { prepare, direct: web.direct, lifecycle }));
  const server = createServer(SERVER, front);
  // What a request expects beside `100-continue` is ignored; Node would answer 417 without a body.
  server.on('checkExpectation', front);
  server.on('connect', answerConnect(front));
  server.on('clientError', refuseUnreadable(config.baseUrl));
  const operator = await openOperations(services, lifecycle);
  const { verifier } = authorization;
  const sockets = { services, verifier, documents, door: live };
  const closeSockets = config.role === 'worker' ? undefined : openSockets(server, sockets, sessionDoors);
  const listener = await HttpListener.open(server, config.host, config.port);
  if (config.role !== 'gateway')
    work = startWork({ ...services, database: database.patient() }, opened.serviceUrl);
  const stop = async (): Promise<void> => {
    lifecycle.draining = true;
    listener.endWithAnswers();
    const closeDoors = async (): Promise<void> => {
      live.streams.abandon();
      await Promise.all([closeSockets?.(), listener.close(), operator?.close()]);
      await live.close();
    };
    await Promise.all([sleep(config.drainMs).then(closeDoors), work?.stop()]);
    authorization.stop();
    const late = new AbortController();
    const told = Promise.all([
      changes.close(),
      requests.close(late.signal),
      services.replayStorage.tell(),
      notices.close(),
    ]);
    const isTold = await atMost(LAST_WRITES_MS, told);
    if (!isTold) {
      late.abort();
      log.warn(
        'the database did not answer in time: the last counts of requests and kept answers are given up',
      );
    }
    await web.stop();
    clock.stop();
    // Its last metrics are read from the database.
    await telemetry?.stop();
    await Promise.all([database.close(), replicas?.close()]);
    await journal?.close();
    await opened.stop();
  };
  return { url: listener.url, operationsUrl: operator?.url, services, stop };
}

/** How long all that is still told to the database may take when stopping, in milliseconds. */
const LAST_WRITES_MS = 5000;

/**
 * Node would refuse a request without a Host without a body; the front door does it. Node 24.9 and newer call
 * `shouldUpgradeCallback` for each upgrade, and answer refused ones as plain requests, but none that was
 * pipelined behind them. Older versions do not know it; there `reparse` does it.
 */
const SERVER: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
  requireHostHeader: false,
  shouldUpgradeCallback: ({ method, headers }) =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
};

function openReplicas(
  opened: OpenedDatabase,
  { replicaUrls, poolSize, preparedStatements: prepared }: Config,
  log: Logger,
  metrics: Registry,
): Replicas | undefined {
  if (replicaUrls.length === 0) return undefined;
  return new Replicas({
    urls: replicaUrls,
    serviceUrl: opened.serviceUrl,
    poolSize,
    prepared,
    metrics,
    onDoubt: (error) =>
      log.warn({ reason: error.message }, 'a replica did not answer; the primary is asked instead'),
  });
}
