import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { findBreaks } from '../../rest-bridge/openapi/findBreaks.js';
import { firstContracts, generatedFiles, incompatibilities } from '../../src/start/generatedFiles.js';

describe('the files that describe the interfaces', () => {
  for (const [path, text] of Object.entries(generatedFiles())) {
    it(`match the service: ${path} (npm run schema:print writes it)`, () => {
      expect(readFileSync(path, 'utf8') === text).to.equal(true);
    });
  }

  it('promise no less than the recorded ones', () => {
    const [sdl, openApi] = ['schema/schema.graphql', 'schema/openapi.json'].map((path) =>
      readFileSync(path, 'utf8'),
    );
    expect(incompatibilities(sdl ?? '', openApi ?? '')).to.deep.equal([]);
  });

  it('promise no less than those of the first version', () => {
    const { sdl, openApi } = firstContracts();
    expect(incompatibilities(sdl, openApi)).to.deep.equal([]);
  });

  it('detect a removed field, a changed type and a new requirement', () => {
    const sdl = readFileSync('schema/schema.graphql', 'utf8').replace(
      'type WorkflowError {',
      'type WorkflowError {\n  lost: String',
    );
    const openApi = readFileSync('schema/openapi.json', 'utf8');
    expect(incompatibilities(sdl, openApi)).to.have.length(1);
    const before = {
      paths: {
        '/a': { post: { requestBody: { s: { required: ['x'], properties: { x: { type: 'string' } } } } } },
      },
    };
    const after = {
      paths: {
        '/a': {
          post: {
            requestBody: { s: { required: ['x', 'y'], properties: { x: { type: 'number' }, y: {} } } },
          },
        },
      },
    };
    expect(findBreaks(before, after)).to.have.length(2);
  });

  it('count renamed schemas and newly accepted nulls as compatible, and the opposite as a break', () => {
    const inline = { requestBody: { schema: { type: 'object', properties: { x: { type: 'string' } } } } };
    const named = {
      requestBody: { schema: { $ref: '#/components/schemas/A' } },
      components: {
        schemas: {
          A: { type: 'object', description: 'A', properties: { x: { type: ['string', 'null'] }, y: {} } },
        },
      },
    };
    expect(findBreaks(inline, named)).to.deep.equal([]);
    expect(findBreaks(named, inline)).to.deep.equal([
      '/requestBody/schema/properties/x/nullable was removed',
      '/requestBody/schema/properties/y was removed',
    ]);
    const described = { properties: { title: { type: 'string' } } };
    expect(findBreaks(described, { properties: {} })).to.deep.equal(['/properties/title was removed']);
  });

  it('name every schema: operations contain references or a few lines', () => {
    const { components: _components, ...rest } = JSON.parse(
      readFileSync('schema/openapi.json', 'utf8'),
    ) as Json;
    expect(inlineObjects(rest)).to.deep.equal([]);
  });
});

type Json = Record<string, unknown>;

/** Places of object types that stand in the middle of a document. */
function inlineObjects(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (/\/examples?$/.test(path)) return [];
  const isType = 'properties' in value && JSON.stringify(value, null, 2).split('\n').length > 5;
  return [
    ...(isType ? [path] : []),
    ...Object.entries(value).flatMap(([key, member]) => inlineObjects(member, `${path}/${key}`)),
  ];
}
