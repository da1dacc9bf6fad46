import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

/**
 * What each room may import, types included; anything else of the house it may not. From the doors down:
 * doors, resolvers, then commands and loaders (which do not know each other), access, documents, domain;
 * below them entities and database, at the bottom concurrency. Packages are listed for the rooms that must
 * stay free of most.
 */
const ROOMS: Record<string, readonly string[]> = {
  'src/domain/': ['src/errors.ts'],
  'src/documents/': ['src/domain/'],
  'schema/': ['src/domain/', 'src/documents/', 'src/access/', 'src/live/', 'src/errorCatalogue.ts'],
  'src/live/': ['src/database/'],
  'entities/': ['schema/', 'src/domain/'],
  'entities/migrations/': [
    'src/database/Migration.ts',
    'src/database/protect.ts',
    'src/database/buildIndex.ts',
  ],
  'src/telemetry/': ['src/concurrency/'],
  'src/concurrency/': ['src/errors.ts'],
  'src/database/': ['src/concurrency/', 'src/telemetry/', 'src/domain/', 'src/config.ts', 'ormconfig.ts'],
  'src/access/': [
    'src/concurrency/',
    'src/domain/',
    'src/documents/',
    'src/errors.ts',
    'src/config.ts',
    'src/Services.ts',
  ],
  'src/execution/': ['src/access/', 'src/concurrency/', 'src/documents/', 'src/domain/'],
  'src/commands/': [
    'src/mail/',
    'src/Services.ts',
    'entities/',
    'schema/',
    'src/access/',
    'src/concurrency/',
    'src/database/',
    'src/domain/',
    'src/errors.ts',
  ],
  'src/loaders/': [
    'entities/',
    'schema/',
    'src/access/',
    'src/concurrency/',
    'src/database/',
    'src/documents/',
    'src/domain/',
    'src/errors.ts',
    'src/Services.ts',
  ],
  'src/jobs/': [
    'src/telemetry/',
    'entities/',
    'src/accounts/',
    'src/mail/',
    'src/texts/',
    'src/access/',
    'src/commands/',
    'src/concurrency/',
    'src/database/',
    'src/documents/',
    'src/domain/',
    'src/Services.ts',
  ],
  'src/operators/': [
    'entities/',
    'src/commands/',
    'src/database/',
    'src/domain/',
    'src/errors.ts',
    'src/config.ts',
  ],
  'resolvers/': ['schema/', 'src/access/', 'src/commands/', 'src/loaders/', 'src/domain/', 'src/errors.ts'],
  'rest-bridge/': [
    'src/version.ts',
    'src/errorCatalogue.ts',
    'src/access/',
    'src/execution/',
    'src/domain/',
    'src/errors.ts',
    'src/http/',
    'src/Services.ts',
  ],
  'src/graphql/': [
    'src/readSettingFile.ts',
    'src/telemetry/',
    'src/live/',
    'src/loaders/',
    'src/concurrency/',
    'src/database/',
    'src/access/',
    'src/execution/',
    'src/http/',
    'src/domain/',
    'src/errors.ts',
    'src/config.ts',
    'src/Services.ts',
  ],
  'src/texts/': ['src/domain/'],
  'src/mail/': ['entities/', 'src/config.ts', 'src/database/', 'src/domain/', 'src/texts/'],
  'src/accounts/': [
    'src/errors.ts',
    'entities/',
    'src/commands/',
    'src/config.ts',
    'src/database/',
    'src/domain/',
    'src/mail/',
    'src/texts/',
  ],
  'src/http/': [
    'src/telemetry/',
    'src/concurrency/',
    'src/texts/',
    'src/access/',
    'src/database/',
    'src/domain/',
    'src/errors.ts',
    'src/config.ts',
    'src/operators/',
    'src/Services.ts',
  ],
  'src/html/': ['src/accounts/', 'src/http/', 'src/texts/', 'src/domain/', 'src/errors.ts'],
  'src/oauth/': [
    'entities/',
    'src/access/',
    'src/accounts/',
    'src/config.ts',
    'src/database/',
    'src/domain/',
    'src/errors.ts',
    'src/html/',
    'src/http/',
    'src/texts/',
  ],
  'src/pages/': [
    'src/access/describeError.ts',
    'entities/',
    'schema/',
    'src/accounts/',
    'src/commands/',
    'src/domain/',
    'src/html/',
    'src/http/',
    'src/loaders/',
    'src/mail/',
    'src/oauth/',
    'src/texts/',
  ],
  'src/processes/': ['src/concurrency/', 'src/config.ts', 'src/database/', 'src/domain/'],
};

/** Files beside the rooms that rooms may import. */
const SHARED: Record<string, readonly string[]> = {
  'src/version.ts': [],
  'ormconfig.ts': ['src/domain/snakeCase.ts'],
  'src/Services.ts': [
    'src/access/',
    'src/concurrency/',
    'src/config.ts',
    'src/database/',
    'src/domain/',
    'src/http/metrics.ts',
    'src/operators/',
    'src/telemetry/',
  ],
  'src/config.ts': ['src/database/hosts/HostList.ts'],
  'src/errorCatalogue.ts': [],
  'src/errors.ts': ['src/errorCatalogue.ts'],
  'src/readSettingFile.ts': ['src/config.ts'],
};

/** Rooms that wire the others together: they may import all of the product. */
const COMPOSITION = ['src/start/', 'src/cli/', 'src/demo/'];

/** Rooms beside the product, and what else of the house each may import. The product imports none of them. */
const BESIDE: Record<string, readonly string[]> = {
  'bench/': ['src/', 'schema/', 'test/support/'],
  'dashboard/src/': ['src/domain/displayName.ts'],
  'test/': [
    'src/',
    'schema/',
    'resolvers/',
    'entities/',
    'rest-bridge/',
    'bench/',
    'clients/',
    'ormconfig.ts',
  ],
};

/** Single files that reach over a wall, each with its reason. */
const EXCEPTIONS: Record<string, readonly [target: string, reason: string]> = {
  'src/access/RequestContext.ts': [
    'src/loaders/',
    'a request is what loaders read as; the guard passes it on unread',
  ],
  'src/access/refuseShape.ts': ['src/commands/', 'a refused command still answers the replay of its key'],
  'src/access/describeError.ts': ['src/database/', 'a lost connection is told by PostgreSQL’s code'],
  'src/pages/pagesRouter.ts': ['src/access/', 'a page that finds no database is 503, as everywhere'],
  'src/pages/mailbox/mailboxRouter.ts': ['src/jobs/', 'shows in development what the job would send'],
  'src/loaders/listConnectionSessions.ts': [
    'src/commands/',
    'a lapsed session is settled before it is shown',
  ],
  'src/loaders/loadConnectionSession.ts': ['src/commands/', 'the same'],
};

const PACKAGES: Record<string, readonly string[]> = {
  'src/domain/': ['node:crypto', 'typeid-js', 'uuidv7', 'ipaddr.js', '@zxcvbn-ts/language-common'],
  'src/documents/': [],
  'src/concurrency/': [],
};

const HEAVY = ['express', 'typeorm', 'pg'];

/** Rooms that may use a package that most must not. */
const HEAVY_ROOMS: Record<string, readonly string[]> = {
  express: ['src/html/', 'src/http/', 'src/oauth/', 'src/pages/', 'src/start/'],
  typeorm: ['entities/', 'src/database/'],
  pg: ['src/database/'],
};

/** Imports of every form: with names, for side effects, and at run time. */
const IMPORT = /^(?:import|export)\s[^;]*?from\s'(?<from>[^']+)';|\bimport\s?\(?'(?<alone>[^']+)'/gms;

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)]
    .map(({ groups }) => groups?.['from'] ?? groups?.['alone'] ?? '')
    .map((name) =>
      name.startsWith('.') ? relative('.', join(dirname(file), name)).replace(/\.js$/, '.ts') : name,
    );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return /\.tsx?$/.test(path) ? [path] : [];
  });
}

/** Files that import one another, directly or through others. */
function circlesOf(importsOfFile: ReadonlyMap<string, readonly string[]>): string[] {
  // Takes away files that import none of those that are left. What remains stands in or above a circle.
  let left = [...importsOfFile.keys()];
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const kept = new Set(left);
    left = left.filter((file) => importsOfFile.get(file)?.some((name) => kept.has(name)));
  }
  return left;
}

function isWithin(name: string, prefix: string): boolean {
  return prefix.endsWith('/') ? name.startsWith(prefix) : name === prefix || name.startsWith(`${prefix}/`);
}

function isOfHouse(name: string): boolean {
  return /\.tsx?$/.test(name);
}

/** Files of a room; migrations are a room within that of the entities. */
function filesOfRoom(room: string): string[] {
  return filesIn(room).filter((file) => room !== 'entities/' || !file.startsWith('entities/migrations/'));
}

/** What a list allows its rooms, or files, although none of their files imports it. */
function idleIn(
  list: Record<string, readonly string[]>,
  filesOf: (place: string) => readonly string[],
): string[] {
  return Object.entries(list).flatMap(([place, allowed]) => {
    const names = filesOf(place).flatMap(importsOf);
    return allowed
      .filter((prefix) => !names.some((name) => isWithin(name, prefix)))
      .map((prefix) => `${place} imports nothing of ${prefix}`);
  });
}

const folders = [
  ...readdirSync('src', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`src/${entry.name}/`] : [],
  ),
  'entities/',
  'resolvers/',
  'rest-bridge/',
  'schema/',
];

describe('The rooms', () => {
  it('are all listed', () => {
    const listed = [...Object.keys(ROOMS), ...COMPOSITION].filter((room) => room !== 'entities/migrations/');
    expect(listed).to.have.members(folders);
  });

  for (const [room, allowed] of Object.entries(ROOMS))
    it(`import only what is listed: ${room}`, () => {
      const found = filesOfRoom(room).flatMap((file) => {
        const [exception] = EXCEPTIONS[file] ?? [];
        return importsOf(file)
          .filter(isOfHouse)
          .filter((name) => ![room, ...allowed, exception ?? room].some((prefix) => isWithin(name, prefix)))
          .map((name) => `${file} imports ${name}`);
      });
      expect(found).to.deep.equal([]);
    });

  it('need every listed exception', () => {
    const idle = Object.entries(EXCEPTIONS).filter(
      ([file, [target]]) => !importsOf(file).some((name) => isWithin(name, target)),
    );
    expect(idle).to.deep.equal([]);
  });

  it('need all that is listed', () => {
    const heavy = Object.entries(HEAVY_ROOMS).flatMap(([name, rooms]) =>
      rooms
        .filter((room) => !filesIn(room).some((file) => importsOf(file).includes(name)))
        .map((room) => `${room} imports nothing of ${name}`),
    );
    expect([
      ...idleIn(ROOMS, filesOfRoom),
      ...idleIn(SHARED, (file) => [file]),
      ...idleIn(BESIDE, filesIn),
      ...idleIn(PACKAGES, filesIn),
      ...heavy,
    ]).to.deep.equal([]);
    expect(
      idleIn({ 'src/errors.ts': ['src/errorCatalogue.ts', 'src/config.ts'] }, (file) => [file]),
    ).to.deep.equal(['src/errors.ts imports nothing of src/config.ts']);
  });

  for (const [file, allowed] of Object.entries(SHARED))
    it(`are reached by shared files as listed: ${file}`, () => {
      const found = importsOf(file)
        .filter(isOfHouse)
        .filter((name) => !allowed.some((prefix) => isWithin(name, prefix)));
      expect(found).to.deep.equal([]);
    });

  it('import no file of src beside them that is not shared', () => {
    const found = Object.keys(ROOMS).flatMap((room) => ROOMS[room] ?? []);
    expect(found.filter((name) => name.endsWith('.ts') && dirname(name) === 'src')).to.satisfy(
      (names: readonly string[]) => names.every((name) => name in SHARED),
    );
  });

  for (const [room, allowed] of Object.entries(BESIDE))
    it(`are used by what stands beside them as listed: ${room}`, () => {
      const found = filesIn(room).flatMap((file) =>
        importsOf(file)
          .filter(isOfHouse)
          .filter((name) => ![room, ...allowed].some((prefix) => isWithin(name, prefix)))
          .map((name) => `${file} imports ${name}`),
      );
      expect(found).to.deep.equal([]);
    });

  it('import nothing that stands beside them', () => {
    const product = [...filesIn('src'), ...folders.slice(-4).flatMap(filesIn)];
    const found = product.flatMap((file) =>
      importsOf(file)
        .filter((name) => Object.keys(BESIDE).some((room) => name.startsWith(room)))
        .map((name) => `${file} imports ${name}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('have no files that import one another, types included', () => {
    const files = [...filesIn('src'), ...folders.slice(-4).flatMap(filesIn)];
    expect(circlesOf(new Map(files.map((file) => [file, importsOf(file)])))).to.deep.equal([]);
    expect(
      circlesOf(
        new Map([
          ['a.ts', ['b.ts']],
          ['b.ts', ['a.ts']],
          ['c.ts', []],
        ]),
      ),
    ).to.deep.equal(['a.ts', 'b.ts']);
  });

  it('import no file of tests, which would run twice where files are dealt to several processes', () => {
    const found = filesIn('test').flatMap((file) =>
      importsOf(file)
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${file} imports ${name}`),
    );
    expect(found).to.deep.equal([]);
  });

  it('form no cycle of imports except the listed ones', () => {
    const reached = new Map<string, ReadonlySet<string>>();
    for (const room of folders)
      reached.set(
        room,
        new Set(
          filesIn(room)
            .filter((file) => EXCEPTIONS[file] === undefined)
            .flatMap((file) => importsOf(file))
            .flatMap((name) => folders.filter((other) => other !== room && name.startsWith(other))),
        ),
      );
    // Takes away rooms that import none of those that are left. What remains stands in a circle.
    let left = folders;
    for (let before = Infinity; left.length < before;) {
      before = left.length;
      left = left.filter((room) => left.some((other) => reached.get(room)?.has(other)));
    }
    expect(left).to.deep.equal([]);
  });

  for (const [room, allowed] of Object.entries(PACKAGES))
    it(`use only the listed packages: ${room}`, () => {
      const found = filesIn(room).flatMap((file) =>
        importsOf(file).filter((name) => !isOfHouse(name) && !allowed.includes(name)),
      );
      expect(found).to.deep.equal([]);
    });

  for (const name of HEAVY)
    it(`use ${name} only where it is listed`, () => {
      const rooms = HEAVY_ROOMS[name] ?? [];
      const found = folders
        .flatMap(filesIn)
        .filter((file) => importsOf(file).includes(name) && !rooms.some((room) => file.startsWith(room)));
      expect(found).to.deep.equal([]);
    });

  it('keep clock, environment and waiting out of src/domain', () => {
    const found = filesIn('src/domain').filter((file) =>
      /\bDate\.now\(|\bnew Date\(\)|process\.|\basync\b|\bawait\b/.test(
        withoutComments(readFileSync(file, 'utf8')),
      ),
    );
    expect(found).to.deep.equal([]);
  });

  it('keep environment, signals and exit in the entry points', () => {
    const allowed = /^src\/main\.ts$|^src\/cli\/|^src\/database\/embedded\//;
    const found = filesIn('src').filter(
      (file) =>
        !allowed.test(file) &&
        /\bprocess\.(env|exit|on|once|argv)\b/.test(withoutComments(readFileSync(file, 'utf8'))),
    );
    expect(found).to.deep.equal([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
