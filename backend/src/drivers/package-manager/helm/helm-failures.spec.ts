import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../../test/support/cpu-time.js';
import { LONG_FAILURES } from '../../../../../test/support/hostile/long-texts.js';
import { CommandError } from '../../process/index.js';
import { downloadFailure, memoryFailure, operationFailure } from './helm-failures.js';

/** helm 3.22.0 and 4.3.1 print this on stdout. Only helm 4 exits with an error. */
const NO_UPDATE =
  'Hang tight…\n...Unable to get an update from the "slipway" chart repository (http://c.test):\n\t';

describe('memoryFailure', () => {
  it.each([
    [
      'runtime: out of memory: cannot allocate 1002438656-byte block (12156928 in use)\nfatal error: out of memory\n',
      true,
    ],
    ['W1 warning\nfatal error: runtime: cannot allocate memory\n\ngoroutine 1', true],
    ['Error: execution error at (x.yaml:1:2): the database is out of memory', false],
  ])('recognizes %j: %s', (stderr, isMemory) => {
    const error = new CommandError({ program: 'helm', args: [], failure: 'failed', exitCode: 2, stderr });
    expect(memoryFailure(error, true)?.code).toBe(isMemory ? 'chart_refused' : undefined);
    const other = memoryFailure(error, false);
    expect(other?.code).toBe(isMemory ? 'command_failed' : undefined);
    expect(other?.message ?? '').not.toContain('chart');
  });
});

describe('downloadFailure', () => {
  it.each<[string, string, string, string]>([
    [
      `${NO_UPDATE}failed to fetch http://c.test/index.yaml : 401 Unauthorized\n`,
      'Error: failed to update the following repositories: [http://c.test]',
      'repository_unreachable',
      'c.test denied access. The credentials are invalid, or the index does not exist: failed to fetch http://c.test/index.yaml : 401 Unauthorized.',
    ],
    [
      '',
      'Error: GET "http://c.test/v2/charts/shop/tags/list": basic credential not found',
      'repository_unreachable',
      'credentials are invalid',
    ],
    [
      `${NO_UPDATE}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type repo.IndexFile\n`,
      '',
      'repository_unreachable',
      'The response of c.test is not a chart index (index.yaml): error unmarshaling JSON',
    ],
    [
      `${NO_UPDATE}Get "http://c.test/index.yaml": dial tcp: lookup c.test: no such host\n`,
      'Error: failed to update the following repositories: [http://c.test]',
      'repository_unreachable',
      'Could not reach c.test: Get "http://c.test/index.yaml": dial tcp: lookup c.test: no such host.',
    ],
    [
      '',
      'Error: chart "shop" matching 9.9.9 not found in slipway index. (try \'helm repo update\'): no chart version found for shop-9.9.9',
      'chart_not_found',
      'c.test has no index: chart "shop" matching 9.9.9 not found',
    ],
  ])('translates %j and %j', (stdout, stderr, code, words) => {
    const error = new CommandError({ program: 'helm', args: [], failure: 'failed', stdout, stderr });
    expect(downloadFailure(error, 'index', 'c.test')).toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });
});

describe('failures of helm with 1 MB', () => {
  it.each(LONG_FAILURES)('are translated in linear time: %s', (_, text) => {
    const milliseconds = cpuTimeOf(() => {
      const error = new CommandError({
        program: 'helm',
        args: [],
        failure: 'failed',
        stdout: text,
        stderr: text,
      });
      operationFailure(error, { release: 'shop', namespace: 'market' });
      downloadFailure(error, 'index', 'c.test');
    });
    expect(milliseconds).toBeLessThan(300);
  });
});
