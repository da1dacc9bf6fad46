import { expect } from 'chai';
import { BOOK, bookOntology, makeEntry, putBooks } from '../support/ingestRecords.js';
import { expectStatus, finished } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import type { Json } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

describe('ontologies and entries over REST', () => {
  let service: TestService;
  let app: TestPartner;
  let other: TestPartner;

  before(async () => {
    service = await TestService.start();
    await putBooks(service);
    app = await service.makeApp();
    other = await service.makeApp();
  });

  after(() => service.stop());

  describe('PUT /v1/ontologies/{id}', () => {
    it('creates an ontology, leaves it unchanged, then updates it, with stable slots', async () => {
      const first = await service.admin.rest('PUT', '/v1/ontologies/film', bookOntology());
      const again = await service.admin.rest('PUT', '/v1/ontologies/film', bookOntology());
      const relaxed = bookOntology({ version: '2' });
      const fields = relaxed['fields'] as Record<string, unknown>[];
      relaxed['fields'] = [
        { name: 'added', type: 'string' },
        ...fields.map((field) => ({ ...field, required: false })),
      ];
      const next = await service.admin.rest('PUT', '/v1/ontologies/film', relaxed);

      expect([first.status, first.body.status]).to.deep.equal([201, 'created']);
      expect([again.status, again.body.status]).to.deep.equal([200, 'unchanged']);
      expect([next.status, next.body.status]).to.deep.equal([200, 'updated']);
      expect(first.body.ontology.fields[0]).to.deep.equal({
        name: 'isbn',
        type: 'string',
        required: true,
        label: 'ISBN',
        internal_slot: 'f1',
      });
      const slots = next.body.ontology.fields.map((field: Record<string, unknown>) => field['internal_slot']);
      expect(slots).to.deep.equal(['f9', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8']);
    });

    it('refuses other fields under the same version, naming them, and keeps what it had', async () => {
      const path = '/v1/ontologies/play';
      const put = (fields: object[], version = '1') =>
        service.admin.rest('PUT', path, { name: 'Play', version, fields, identity_fields: ['title'] });
      const title = { name: 'title', type: 'string', required: true };
      const first = expectStatus(await put([title]), 201);
      const { status, body } = await put([
        { ...title, required: false },
        { name: 'acts', type: 'integer' },
      ]);
      expect([status, body.error.code]).to.deep.equal([409, 'conflict']);
      const details = body.error.details as Record<string, string>[];
      expect(details.map(({ code, field, message }) => [code, field, message])).to.deep.equal([
        ['version_unchanged', 'fields[0]', 'version 1 requires the field title; give this a new version'],
        ['version_unchanged', 'fields[1]', 'version 1 has no field acts; give this a new version'],
      ]);
      const kept = await app.rest('GET', path);
      expect(kept.body).to.deep.include({ version: '1', fields: first.ontology.fields });
      const labelled = expectStatus(await put([{ ...title, label: 'Title' }]), 200);
      expect([labelled.status, labelled.ontology.fields[0].label]).to.deep.equal(['updated', 'Title']);
      expect(expectStatus(await put([title, { name: 'acts', type: 'integer' }], '1.1'), 200).status).to.equal(
        'updated',
      );
    });

    it('gives a former label to no other fields, also one from before labels were kept', async () => {
      const put = (version: string, ...fields: object[]) =>
        service.admin.rest('PUT', '/v1/ontologies/opera', {
          name: 'Opera',
          version,
          fields,
          identity_fields: [],
        });
      const title = { name: 'title', type: 'string', required: true };
      const year = { name: 'year', type: 'integer' };
      expectStatus(await put('1', title), 201);
      await service.sql(`UPDATE ontologies SET used_versions = '{}' WHERE ontology_id = 'opera'`);
      expectStatus(await put('2', title, year), 200);
      expectStatus(await put('3', { ...title, required: false }, year), 200);
      for (const version of ['1', '2']) {
        const { error } = expectStatus(await put(version, { ...title, required: false }, year), 409);
        expect(error.details.map(({ code, field }: Record<string, string>) => [code, field])).to.deep.equal([
          ['version_unchanged', 'version'],
        ]);
      }
      expectStatus(await put('4', year, { ...title, required: false }), 200);
      expect(expectStatus(await put('3', { ...title, required: false }, year), 200).status).to.equal(
        'updated',
      );
      expectStatus(await put('__proto__', { ...title, required: false }, year), 200);
    });

    it('refuses a version that existing entries would violate, naming every problem', async () => {
      const changed = bookOntology({ identity_fields: [] });
      const [isbn, title, pages] = changed['fields'] as Record<string, unknown>[];
      changed['fields'] = [isbn, { ...title, type: 'number' }, { ...pages, required: true }];
      const { status, body } = await service.admin.rest('PUT', `/v1/ontologies/${BOOK}`, changed);

      expect([status, body.error.code]).to.deep.equal([409, 'conflict']);
      const codes = body.error.details.map((detail: { code: string }) => detail.code);
      expect(codes).to.include.members([
        'type_changed',
        'requirement_tightened',
        'field_removed',
        'identity_changed',
      ]);
    });

    it('refuses what is not valid with all problems at once', async () => {
      const body = { version: 1, fields: [{ name: '1st', type: 'text' }], extra: true };
      const answer = await service.admin.rest('PUT', '/v1/ontologies/bad', body);
      const fields = answer.body.error.details.map((detail: { field: string }) => detail.field);
      expect(answer.status).to.equal(422);
      expect(fields).to.have.members([
        'name',
        'version',
        'fields[0].name',
        'fields[0].type',
        'identity_fields',
        'extra',
      ]);

      const named = bookOntology({ identity_fields: ['nothing'], app_id: 'app_nobody' });
      const second = await service.admin.rest('PUT', '/v1/ontologies/Bad', named);
      const places = second.body.error.details.map((detail: { field: string }) => detail.field);
      expect(places).to.have.members(['ontology_id', 'identity_fields[0]', 'app_id']);
    });

    it('names fields that stand twice and wrong identity fields beside problems of the shape', async () => {
      const body = {
        version: '',
        fields: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'text' },
        ],
        identity_fields: ['a', 'b', 'a', 7],
      };
      const problems = async (definition: Json): Promise<string[]> => {
        const { details } = (await service.admin.rest('PUT', '/v1/ontologies/bad', definition)).body.error;
        return details.map(({ code, field }: Json) => `${field} ${code}`);
      };
      expect(await problems(body)).to.have.members([
        'name required',
        'version too_short',
        'fields[1].type invalid_value',
        'identity_fields[3] invalid_type',
        'fields[1].name duplicate',
        'identity_fields[1] unknown_field',
        'identity_fields[2] duplicate',
      ]);
      expect(await problems({ ...body, fields: 1 }), 'the fields are not known').to.not.include(
        'identity_fields[1] unknown_field',
      );
    });

    it('requires the administrative key', async () => {
      expect((await app.rest('PUT', '/v1/ontologies/mine', bookOntology())).status).to.equal(401);
      expect((await service.nobody.rest('PUT', '/v1/ontologies/mine', bookOntology())).status).to.equal(401);
    });

    it('shows an ontology only to the app that it names', async () => {
      const mine = bookOntology({ app_id: app.appId });
      expectStatus(await service.admin.rest('PUT', '/v1/ontologies/secret', mine), 201);
      expectStatus(await app.rest('GET', '/v1/ontologies/secret'), 200);
      expectStatus(await other.rest('GET', '/v1/ontologies/secret'), 404);
      const listed = expectStatus(await other.rest('GET', '/v1/ontologies?limit=100'), 200);
      expect(listed.data.map((item: { id: string }) => item.id))
        .to.include(BOOK)
        .and.not.include('secret');
      const body = { ontology: 'secret', fields: { isbn: '1', title: 'x' } };
      const refused = expectStatus(await other.rest('POST', '/v1/entries', body), 422);
      expect(refused.error.details).to.have.length(1);
      expect(refused.error.details[0]).to.include({
        code: 'unknown_reference',
        message: 'is not an ontology of this app',
        field: 'ontology',
      });
    });
  });

  describe('GET /v1/ontologies', () => {
    it('lists id, name and version, in pages', async () => {
      const first = expectStatus(await app.rest('GET', '/v1/ontologies?limit=1'), 200);
      expect(first.data[0]).to.have.all.keys('id', 'name', 'version');
      const cursor = encodeURIComponent(first.pagination.next_cursor as string);
      const second = expectStatus(await app.rest('GET', `/v1/ontologies?limit=1&cursor=${cursor}`), 200);
      expect(second.data[0].id).to.not.equal(first.data[0].id);
    });

    it('requires ontologies:read', async () => {
      const narrow = await service.narrowed(app, 'entries:read');
      expect((await narrow.rest('GET', '/v1/ontologies')).status).to.equal(403);
      expect((await narrow.rest('GET', `/v1/ontologies/${BOOK}`)).status).to.equal(403);
    });
  });

  describe('POST /v1/entries', () => {
    it('derives the id from the identity fields, so that a repeat is an upsert', async () => {
      const body = {
        ontology: BOOK,
        entry_name: 'Emma',
        fields: { isbn: '978-1', title: 'Emma', pages: 474 },
      };
      const created = await app.rest('POST', '/v1/entries', body);
      const same = await app.rest('POST', '/v1/entries', body);
      const changed = await app.rest('POST', '/v1/entries', {
        ...body,
        fields: { ...body.fields, pages: 480 },
      });

      expect([created.status, created.body.status]).to.deep.equal([201, 'created']);
      expect([same.status, same.body.status]).to.deep.equal([200, 'unchanged']);
      expect([changed.status, changed.body.status]).to.deep.equal([200, 'updated']);
      expect(created.body.entry.entry_id).to.match(/^ent_[0-9a-z]{26}$/);
      expect(changed.body.entry.entry_id).to.equal(created.body.entry.entry_id);
      expect(created.headers.get('location')).to.equal(`/v1/entries/${created.body.entry.entry_id}`);
      expect(changed.body.entry.checksum)
        .to.match(/^sha256:[0-9a-f]{64}$/)
        .and.not.equal(created.body.entry.checksum);
      expect((await other.rest('POST', '/v1/entries', body)).body.entry.entry_id).to.not.equal(
        created.body.entry.entry_id,
      );
    });

    it('computes the checksum of docs/contract.md#entries-and-ontologies', async () => {
      const body = {
        entry_id: 'sum-1',
        ontology: BOOK,
        entry_name: 'Emma',
        owner_id: 'not in the sum',
        fields: { title: 'Emma', isbn: '1' },
        value: 12.5,
        media: { gallery: ['b'], primary_image: 'a' },
      };
      const { entry } = expectStatus(await app.rest('POST', '/v1/entries', body), 201);
      // echo -n
      // '{"entry_name":"Emma","fields":{"isbn":"1","title":"Emma"},"media":{"gallery":["b"],"primary_image":"a"},"ontology":"book","value":12.5}'
      // | sha256sum
      expect(entry.checksum).to.equal(
        'sha256:937eeddbe8ddcd35f0228b9a8d564dc534ebe54aef51b2418921523524a50dc0',
      );
      expect(entry.media).to.deep.equal({ primary_image: 'a', gallery: ['b'] });
    });

    it('reports every problem at once, with the names of fields', async () => {
      const fields = {
        title: 7,
        pages: 1.5,
        in_print: 'yes',
        published_at: 'today',
        genres: 'crime',
        size: [],
        f1: 'x',
      };
      const { error } = expectStatus(await app.rest('POST', '/v1/entries', { ontology: BOOK, fields }), 422);
      const places = error.details.map((detail: { field: string }) => detail.field);
      expect(places).to.have.members([
        'entry_id',
        'fields.isbn',
        'fields.title',
        'fields.pages',
        'fields.in_print',
        'fields.published_at',
        'fields.genres',
        'fields.size',
        'fields.f1',
      ]);
      expect(error.details[0]).to.deep.include({
        field: 'entry_id',
        message: 'is required unless the identity fields are given: isbn',
      });
    });

    it('never shows slots', async () => {
      const id = await makeEntry(app, { pages: 3, genres: ['crime'] });
      const { text } = await app.rest('GET', `/v1/entries/${id}`);
      expect(text).to.not.match(/"f\d+"|slot/);
      const [row] = await service.sql('SELECT fields FROM entries WHERE entry_id = $1', [id]);
      expect(Object.keys(row.fields)).to.have.members(['f1', 'f2', 'f3', 'f7']);
    });

    it('refuses a misspelled member, a bad body and a missing scope', async () => {
      const body = { ontology: BOOK, entry_id: 'has space', feilds: {}, image_upload_status: 'lost' };
      const { error } = expectStatus(await app.rest('POST', '/v1/entries', body), 422);
      const places = error.details.map((detail: { field: string }) => detail.field);
      expect(places).to.have.members(['entry_id', 'feilds', 'image_upload_status']);
      expectStatus(await app.rest('POST', '/v1/entries', '{'), 400);
      const narrow = await service.narrowed(app, 'entries:read');
      expectStatus(await narrow.rest('POST', '/v1/entries', body), 403);
    });

    it('makes one entry of simultaneous upserts', async () => {
      const body = { ontology: BOOK, fields: { isbn: 'race', title: 'Race' } };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => app.rest('POST', '/v1/entries', body)),
      );
      const statuses = answers.map((answer) => answer.body.status as string).toSorted();
      expect(statuses).to.deep.equal(['created', ...Array<string>(7).fill('unchanged')]);
    });
  });

  describe('PUT /v1/entries/{id}', () => {
    it('replaces the whole entry and removes absent fields', async () => {
      const body = {
        ontology: BOOK,
        entry_id: 'whole',
        owner_id: 'o',
        fields: { isbn: 'w', title: 'W', pages: 9 },
      };
      expectStatus(await app.rest('POST', '/v1/entries', body), 201);
      const next = { ontology: BOOK, fields: { isbn: 'w', title: 'W2' } };
      const { status, entry } = expectStatus(await app.rest('PUT', '/v1/entries/whole', next), 200);
      expect(status).to.equal('updated');
      expect(entry.fields).to.deep.equal({ isbn: 'w', title: 'W2' });
      expect(entry).to.not.have.property('owner_id');
    });

    it('takes no id that cannot exist for that of another entry', async () => {
      const body = { ontology: BOOK, fields: { isbn: 'dash', title: 'Dash' } };
      expectStatus(await app.rest('POST', '/v1/entries', { ...body, entry_id: '-' }), 201);
      for (const id of ['with%20space', 'caf%C3%A9', 'x'.repeat(129), '~']) {
        expectStatus(await app.rest('GET', `/v1/entries/${id}`), 404);
        expectStatus(await app.rest('PUT', `/v1/entries/${id}`, body), 404);
      }
      expect(expectStatus(await app.rest('GET', '/v1/entries/-'), 200).entry_id).to.equal('-');
    });

    it('answers 404 for a foreign entry, 409 for another identity, 422 for invalid fields', async () => {
      const id = await makeEntry(app, { isbn: 'put' });
      const body = { ontology: BOOK, fields: { isbn: 'put', title: 'T' } };
      expectStatus(await app.rest('PUT', '/v1/entries/unknown', body), 404);
      expectStatus(await other.rest('PUT', `/v1/entries/${id}`, body), 404);
      const changed = { ...body, fields: { isbn: 'else', title: 'T' } };
      const { error } = expectStatus(await app.rest('PUT', `/v1/entries/${id}`, changed), 409);
      expect(error.details[0].field).to.equal('fields.isbn');
      expectStatus(
        await app.rest('PUT', `/v1/entries/${id}`, { ontology: BOOK, fields: { isbn: 'put' } }),
        422,
      );
      expectStatus(await app.rest('PUT', `/v1/entries/${id}`, { ...body, entry_id: 'other' }), 422);
    });

    it('applies the bounds of a create to every field, through both doors', async () => {
      const id = await makeEntry(app, { isbn: 'bounded' });
      const stored = { isbn: 'bounded', title: 'T' };
      const unbounded = {
        ontology: BOOK,
        entry_name: 'x'.repeat(501),
        owner_id: '',
        ingestion_origin: 'x'.repeat(256),
        fields: { ...stored, size: { text: 'x'.repeat(300_000) } },
        media: { primary_image: 'x'.repeat(2049), gallery: Array.from({ length: 101 }, () => 'x') },
      };
      const put = expectStatus(await app.rest('PUT', `/v1/entries/${id}`, unbounded), 422);
      const post = expectStatus(await app.rest('POST', '/v1/entries', unbounded), 422);
      expect(put.error.details).to.deep.equal(post.error.details);
      expect(put.error.details.map(({ field }: { field: string }) => field)).to.include.members([
        'entry_name',
        'owner_id',
        'ingestion_origin',
        'fields',
        'media.primary_image',
        'media.gallery',
      ]);

      const { errors } = await app.graphql(
        `mutation($id: ID!, $key: String!, $input: ReplaceEntryInput!) {
          replaceEntry(id: $id, idempotencyKey: $key, input: $input) { status } }`,
        { id, input: { ontology: BOOK, entryName: 'x'.repeat(501), ownerId: '', fields: stored } },
      );
      const [refusal] = errors;
      expect(refusal?.extensions['code']).to.equal('VALIDATION_FAILED');
      expect(refusal?.extensions['details'].map(({ field }: { field: string }) => field)).to.have.members([
        'entryName',
        'ownerId',
      ]);
      expect(expectStatus(await app.rest('GET', `/v1/entries/${id}`), 200).entry_name).to.equal('A book');
    });
  });

  describe('GET /v1/entries', () => {
    const ids = (answer: { data: { entry_id: string }[] }): string[] =>
      answer.data.map(({ entry_id }) => entry_id);
    const list = async (query: string): Promise<string[]> =>
      ids(expectStatus(await app.rest('GET', `/v1/entries?ontology=shelf&${query}`), 200));

    before(async () => {
      expectStatus(
        await service.admin.rest('PUT', '/v1/ontologies/shelf', bookOntology({ name: 'Shelf' })),
        201,
      );
      for (const [index, pages] of [100, 200, 200, 300].entries()) {
        const fields = {
          isbn: `s${index}`,
          title: 'Same',
          pages,
          price: pages / 8,
          in_print: index % 2 === 0,
          published_at: `2026-01-0${index + 1}T00:00:00Z`,
          genres: ['crime', `g${index}`],
          size: { w: index },
        };
        expectStatus(
          await app.rest('POST', '/v1/entries', { ontology: 'shelf', entry_id: `s${index}`, fields }),
          201,
        );
      }
    });

    it('filters by equality on fields of every type', async () => {
      expect(await list('fields[pages]=200')).to.deep.equal(['s2', 's1']);
      expect(await list('fields[price]=12.5')).to.deep.equal(['s0']);
      expect(await list('fields[in_print]=true&fields[pages]=200')).to.deep.equal(['s2']);
      expect(await list('fields[published_at]=2026-01-02T01:00:00%2B01:00')).to.deep.equal(['s1']);
      expect(await list('fields[genres]=g3')).to.deep.equal(['s3']);
      expect(await list('fields[size]=%7B%22w%22:0%7D')).to.deep.equal(['s0']);
      expect(await list('fields[title]=Other')).to.deep.equal([]);
    });

    it('pages through a filter, whose cursor is refused by other filters', async () => {
      const first = expectStatus(
        await app.rest('GET', '/v1/entries?ontology=shelf&fields[title]=Same&limit=3'),
        200,
      );
      expect(ids(first)).to.deep.equal(['s3', 's2', 's1']);
      const cursor = encodeURIComponent(first.pagination.next_cursor as string);
      expect(await list(`fields[title]=Same&limit=3&cursor=${cursor}`)).to.deep.equal(['s0']);
      expectStatus(await app.rest('GET', `/v1/entries?ontology=shelf&cursor=${cursor}`), 400);
    });

    it('pages through a filter in GraphQL and REST alike, however its value is spelled', async () => {
      const twins = bookOntology({ name: 'Twins' });
      expectStatus(await service.admin.rest('PUT', '/v1/ontologies/twins', twins), 201);
      const fields = {
        title: 'Same',
        pages: 200,
        in_print: true,
        published_at: '2026-02-01T00:00:00Z',
        genres: ['crime'],
        size: { w: 9, h: 1 },
      };
      for (const id of ['t1', 't2'])
        expectStatus(
          await app.rest('POST', '/v1/entries', {
            ontology: 'twins',
            entry_id: id,
            fields: { isbn: id, ...fields },
          }),
          201,
        );
      const page = async (filter: string, more = ''): Promise<Json> =>
        expectStatus(await app.rest('GET', `/v1/entries?ontology=twins&limit=1&fields${filter}${more}`), 200);
      const read = async (filter: object, after?: string): Promise<Json> => {
        const { data, errors } = await app.graphql(
          `query($fields: JSONObject, $after: String) {
            entries(ontology: "twins", fields: $fields, first: 1, after: $after) {
              nodes { entryId } pageInfo { endCursor } } }`,
          { fields: filter, after },
        );
        expect(errors, JSON.stringify(filter)).to.deep.equal([]);
        return data.entries;
      };
      for (const [filter, ...spellings] of [
        [{ title: 'Same' }, '[title]=Same'],
        [{ pages: 200 }, '[pages]=200', '[pages]=200.0', '[pages]=2e2'],
        [{ in_print: true }, '[in_print]=true', '[in_print]=%20true'],
        [{ published_at: fields.published_at }, '[published_at]=2026-02-01T01:00:00.000%2B01:00'],
        [{ genres: 'crime' }, '[genres]=crime'],
        [{ size: fields.size }, '[size]={"h":1.0,"w":9}'],
        [{ pages: 200, title: 'Same' }, '[title]=Same&fields[pages]=200'],
      ] as [object, ...string[]][]) {
        const { nodes, pageInfo } = await read(filter);
        expect(nodes).to.deep.equal([{ entryId: 't2' }]);
        for (const spelled of spellings) {
          const { next_cursor: cursor } = (await page(spelled)).pagination as { next_cursor: string };
          expect((await read(filter, cursor)).nodes, spelled).to.deep.equal([{ entryId: 't1' }]);
          expect(ids(await page(spelled, `&cursor=${pageInfo.endCursor}`)), spelled).to.deep.equal(['t1']);
          const other = await app.rest('GET', `/v1/entries?ontology=twins&fields[pages]=7&cursor=${cursor}`);
          expect(expectStatus(other, 400).error.details[0].code).to.equal('invalid_cursor');
        }
      }
    });

    it('finds an entry by its new value only, once it has changed', async () => {
      const body = { ontology: 'shelf', entry_id: 's0', fields: { isbn: 's0', title: 'Moved' } };
      expectStatus(await app.rest('POST', '/v1/entries', body), 200);
      expect(await list('fields[title]=Moved')).to.deep.equal(['s0']);
      expect(await list('fields[title]=Same')).to.deep.equal(['s3', 's2', 's1']);
    });

    it('refuses unknown fields, values of another type, and fields of no ontology', async () => {
      expectStatus(await app.rest('GET', '/v1/entries?ontology=shelf&fields[colour]=red'), 400);
      expectStatus(await app.rest('GET', '/v1/entries?ontology=shelf&fields[pages]=many'), 400);
      expectStatus(await app.rest('GET', '/v1/entries?fields[pages]=1'), 400);
      const narrow = await service.narrowed(app, 'entries:write');
      expectStatus(await narrow.rest('GET', '/v1/entries'), 403);
    });

    it('shows no entries of another app', async () => {
      expectStatus(await other.rest('GET', '/v1/entries/s1'), 404);
      const listed = expectStatus(
        await other.rest('GET', '/v1/entries?ontology=shelf&fields[pages]=200'),
        200,
      );
      expect(listed.data).to.deep.equal([]);
    });
  });

  describe('POST /v1/ontologies/{id}/rebuild', () => {
    it('rebuilds the filter index beside the one in use, then switches', async () => {
      for (let index = 0; index < 5; index += 1)
        await makeEntry(app, { isbn: `r${index}`, title: 'Rebuilt' });
      await service.sql(`DELETE FROM entry_filters WHERE value_key = '"r2"'`);
      const find = async (): Promise<number> =>
        expectStatus(await app.rest('GET', `/v1/entries?ontology=${BOOK}&fields[isbn]=r2`), 200).data
          .length as number;
      expect(await find()).to.equal(0);

      const accepted = expectStatus(await app.rest('POST', `/v1/ontologies/${BOOK}/rebuild`), 202);
      expect(accepted.status_url).to.equal(`/v1/workflows/${accepted.workflow_id}`);
      const workflow = await finished(app, accepted.workflow_id as string);
      expect([workflow.type, workflow.status]).to.deep.equal(['ontology_fields_rebuild', 'completed']);
      expect(await find()).to.equal(1);
      const generations = await service.sql(
        'SELECT DISTINCT f.generation = i.generation AS current FROM entry_filters f JOIN entry_indexes i USING (app_id, ontology_id)',
      );
      expect(generations).to.deep.equal([{ current: true }]);
    });

    it('requires ontologies:write and an ontology that the app sees', async () => {
      const narrow = await service.narrowed(app, 'ontologies:read');
      expectStatus(await narrow.rest('POST', `/v1/ontologies/${BOOK}/rebuild`), 403);
      expectStatus(await app.rest('POST', '/v1/ontologies/unknown/rebuild'), 404);
    });
  });
});
