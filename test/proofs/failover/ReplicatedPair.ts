import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ClusterFiles } from '../../../src/database/embedded/ClusterFiles.js';
import { findBinaries } from '../../../src/database/embedded/findBinaries.js';
import { freePort } from '../../support/freePort.js';
import { serverAccount } from '../../../src/database/embedded/serverAccount.js';
import { PostgresServer } from '../../support/PostgresServer.js';
import { Relay } from '../../support/Relay.js';

const SETTINGS = ['fsync = off', 'wal_level = replica', 'hot_standby = on', 'log_min_messages = fatal'];

/** A primary and a streaming standby that is promoted, of the packages' PostgreSQL. */
export class ReplicatedPair {
  readonly first: PostgresServer;
  readonly second: PostgresServer;
  /** The way of the first one's changes to the second. */
  readonly feed: Relay;
  private readonly room: string;

  private constructor(room: string, first: PostgresServer, second: PostgresServer, feed: Relay) {
    this.room = room;
    this.first = first;
    this.second = second;
    this.feed = feed;
  }

  /** @param isSynchronous whether a commit waits until the standby has it */
  static async start(isSynchronous: boolean): Promise<ReplicatedPair> {
    const room = PostgresServer.room(realpathSync(mkdtempSync(join(tmpdir(), 'failover-proof-'))));
    const files = new ClusterFiles(join(room, 'files'), join(room, 'system'));
    const bin = dirname(findBinaries(serverAccount(), files).initdb);
    const first = await PostgresServer.create(bin, join(room, 'first'), SETTINGS);
    await first.start();
    await first.query('CREATE DATABASE consent');
    await first.stop();
    const data = join(room, 'second');
    execFileSync('cp', ['-a', first.data, data]);
    const feed = await Relay.start(first.port);
    const source = `host=127.0.0.1 port=${feed.port} user=postgres application_name=second`;
    appendFileSync(join(data, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
    writeFileSync(join(data, 'standby.signal'), '');
    const second = new PostgresServer(bin, data, await freePort());
    await first.start(isSynchronous ? [`synchronous_standby_names=second`] : []);
    await second.start();
    return new ReplicatedPair(room, first, second, feed);
  }

  /** Both hosts, as a gateway is told of them. */
  get url(): string {
    const ports = [this.first, this.second].map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres@${ports.join(',')}/consent?target_session_attrs=read-write`;
  }

  /** One URL for each host. */
  get urls(): string[] {
    return [this.first, this.second].map(ReplicatedPair.urlOf);
  }

  static urlOf({ port }: PostgresServer): string {
    return `postgres://postgres@127.0.0.1:${port}/consent`;
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop('kill'), this.second.stop('kill')]);
    await this.feed.stop();
    rmSync(this.room, { recursive: true, force: true });
  }
}
