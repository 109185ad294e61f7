import { describe, expect, it } from '@jest/globals';
import { operationOf } from '../support/engine/engine-operations.js';
import { findDrift } from '../transcripts/drift.js';
import { ENGINE_NAMES, readTranscript } from '../transcripts/transcript.js';

describe.each(ENGINE_NAMES)('the transcripts of %s', (engine) => {
  const transcript = readTranscript(engine);

  it('hold only requests that the scripted engine answers, and all of those', () => {
    const operations = transcript.exchanges.map(({ request }) => operationOf(request)?.operation);
    expect(operations).not.toContain(undefined);
    const expected = [
      'ping',
      'version',
      'info',
      'listAll',
      'listOne',
      'inspect',
      'stats',
      'events',
      'images',
      'image',
    ];
    expect(operations).toEqual(
      expect.arrayContaining([...expected, 'pull', 'volume', 'removeContainer', 'removeVolume']),
    );
  });

  it('hold no secret', () => {
    expect(JSON.stringify(transcript)).not.toMatch(
      /LS0tLS1CRUdJTi|BEGIN [A-Z ]*(CERTIFICATE|KEY)|\b[a-z0-9]{6}\.[a-z0-9]{16}\b/,
    );
  });

  it('do not drift when the nodes come in another order', () => {
    const text = JSON.stringify(transcript)
      .replaceAll('{volume.0}', '{first}')
      .replaceAll('{volume.1}', '{volume.0}')
      .replaceAll('{first}', '{volume.1}');
    expect(findDrift(transcript, JSON.parse(text) as typeof transcript)).toEqual([]);
  });

  it('do not drift when a slow machine inspects a container more often', () => {
    const slow = structuredClone(transcript);
    const inspection = slow.exchanges.find(({ request }) => request.endsWith('.id}/json'));
    if (!inspection) throw new Error('no inspection was recorded');
    slow.exchanges.push({
      ...inspection,
      situation: 'paused',
      request: 'GET /containers/{control-plane.id}/json',
    });
    expect(findDrift(transcript, slow)).toEqual([]);
    slow.exchanges.push({ ...inspection, situation: 'paused', request: 'GET /info' });
    expect(findDrift(transcript, slow)).toEqual(['paused: GET /info is new']);
  });

  it('do not drift from themselves, but from any change', () => {
    expect(findDrift(transcript, transcript)).toEqual([]);
    const changed = structuredClone(transcript);
    const running = changed.exchanges.find(({ body }) => Array.isArray(body) && body.length > 0);
    const [first] = (running?.body ?? []) as Record<string, unknown>[];
    if (!first) throw new Error('nothing was recorded');
    delete first['RepoTags'];
    changed.exchanges = changed.exchanges.filter(({ request }) => request !== 'GET /version');
    const creation = changed.kind.find(({ args }) => args[0] === 'create');
    creation?.output.splice(-8, 2);
    changed.kind = changed.kind.filter(({ situation }) => situation !== 'running');
    expect(findDrift(transcript, changed)).toEqual([
      expect.stringContaining('GET /version is not asked any more'),
      expect.stringContaining('RepoTags is gone'),
      expect.stringMatching(/creating: kind create .* says/s),
      expect.stringContaining('running: kind get kubeconfig'),
    ]);
  });
});
