import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterFiles } from '../../src/database/embedded/ClusterFiles.js';
import { findBinaries } from '../../src/database/embedded/findBinaries.js';
import { freePort } from './freePort.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { execute } from './execute.js';
import { Relay } from './Relay.js';
import { Standby } from './Standby.js';

const LOG = { info: () => undefined, warn: () => undefined };

/**
 * A primary and streaming standbys of it, all PostgreSQL of the packages, each standby behind relays of its
 * own.
 */
export class ReplicationHarness {
  readonly primaryUrl: string;
  readonly standbys: readonly Standby[];
  private readonly room: string;
  private readonly primary: EmbeddedPostgres;

  private constructor(room: string, primary: EmbeddedPostgres, standbys: readonly Standby[]) {
    this.room = room;
    this.primary = primary;
    this.primaryUrl = primary.url;
    this.standbys = standbys;
  }

  static async start(count: number): Promise<ReplicationHarness> {
    const room = realpathSync(mkdtempSync(join(tmpdir(), 'replica-proof-')));
    // The server's user has to get in.
    chmodSync(room, 0o755);
    const options = {
      dataDir: join(room, 'primary'),
      log: LOG,
      fsync: false,
      systemRoom: join(room, 'system'),
    };
    await (await startEmbeddedPostgres(options)).stop();
    const source = realpathSync(join(options.dataDir, 'postgres', 'cluster'));
    const clusters = Array.from({ length: count }, (_, index) =>
      copyCluster(source, `${source}-standby-${index + 1}`),
    );
    const primary = await startEmbeddedPostgres(options);
    await keepChanges(primary.url);
    const postgres = findServer(source, new ClusterFiles(options.dataDir, options.systemRoom));
    const standbys = await Promise.all(
      clusters.map((cluster) => prepareStandby(cluster, postgres, primary.url)),
    );
    const harness = new ReplicationHarness(room, primary, standbys);
    try {
      await Promise.all(standbys.map((standby) => standby.launch()));
    } catch (error) {
      await harness.stop();
      throw error;
    }
    return harness;
  }

  async caughtUp(): Promise<void> {
    await Promise.all(this.standbys.map((standby) => standby.caughtUp()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.standbys.map((standby) => standby.stop()));
    await this.primary.stop();
    rmSync(this.room, { recursive: true, force: true });
  }
}

function copyCluster(source: string, cluster: string): string {
  execFileSync('cp', ['-a', source, cluster]);
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return cluster;
}

/** A standby that was cut off for a while must still find what it missed. */
async function keepChanges(url: string): Promise<void> {
  await execute(url, `ALTER SYSTEM SET wal_keep_size = '2GB'`);
  await execute(url, 'SELECT pg_reload_conf()');
}

function findServer(cluster: string, files: ClusterFiles): string {
  const { uid, gid } = statSync(cluster);
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  return findBinaries(account, files).postgres;
}

async function prepareStandby(cluster: string, postgres: string, primaryUrl: string): Promise<Standby> {
  const { username, password, port } = new URL(primaryUrl);
  const feed = await Relay.start(Number(port));
  const own = await freePort();
  const source = `host=127.0.0.1 port=${feed.port} user=${username} password=${decodeURIComponent(password)}`;
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
  writeFileSync(join(cluster, 'standby.signal'), '');
  return new Standby({ cluster, postgres, port: own, primaryUrl, feed, front: await Relay.start(own) });
}
