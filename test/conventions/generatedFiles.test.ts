import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { findBreaks } from '../../rest-bridge/openapi/findBreaks.js';
import { generatedFiles, incompatibilities } from '../../src/generatedFiles.js';

describe('the files that describe the interfaces', () => {
  for (const [path, text] of Object.entries(generatedFiles())) {
    it(`${path} says what the service does; npm run schema:print writes it`, () => {
      expect(readFileSync(path, 'utf8') === text).to.equal(true);
    });
  }

  it('promise nothing less than the ones that were kept', () => {
    const [sdl, openApi] = ['schema/schema.graphql', 'schema/openapi.json'].map((path) => readFileSync(path, 'utf8'));
    expect(incompatibilities(sdl ?? '', openApi ?? '')).to.deep.equal([]);
  });

  it('would show a field taken away, a type changed and a demand made', () => {
    const sdl = readFileSync('schema/schema.graphql', 'utf8').replace(
      'type WorkflowError {',
      'type WorkflowError {\n  lost: String',
    );
    const openApi = readFileSync('schema/openapi.json', 'utf8');
    expect(incompatibilities(sdl, openApi)).to.have.length(1);
    const before = {
      paths: { '/a': { post: { requestBody: { s: { required: ['x'], properties: { x: { type: 'string' } } } } } } },
    };
    const after = {
      paths: {
        '/a': { post: { requestBody: { s: { required: ['x', 'y'], properties: { x: { type: 'number' }, y: {} } } } } },
      },
    };
    expect(findBreaks(before, after)).to.have.length(2);
  });
});
