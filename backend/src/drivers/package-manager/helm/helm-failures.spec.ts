import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../../process/index.js';
import { fetchFailure } from './helm-failures.js';

/** What helm 3.22.0 says on stdout and succeeds, and helm 4.3.1 says and fails. */
const NO_UPDATE =
  'Hang tight…\n...Unable to get an update from the "slipway" chart repository (http://c.test):\n\t';

describe('why a chart could not be fetched', () => {
  it.each<[string, string, string, string]>([
    [
      `${NO_UPDATE}failed to fetch http://c.test/index.yaml : 401 Unauthorized\n`,
      'Error: failed to update the following repositories: [http://c.test]',
      'repository_unreachable',
      'c.test lets in only who has the right name and password, or has no index: failed to fetch http://c.test/index.yaml : 401 Unauthorized.',
    ],
    [
      '',
      'Error: GET "http://c.test/v2/charts/shop/tags/list": basic credential not found',
      'repository_unreachable',
      'right name and password',
    ],
    [
      `${NO_UPDATE}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go value of type repo.IndexFile\n`,
      '',
      'repository_unreachable',
      'c.test answers, but not with an index of charts (index.yaml): error unmarshaling JSON',
    ],
    [
      `${NO_UPDATE}Get "http://c.test/index.yaml": dial tcp: lookup c.test: no such host\n`,
      'Error: failed to update the following repositories: [http://c.test]',
      'repository_unreachable',
      'c.test cannot be reached: Get "http://c.test/index.yaml": dial tcp: lookup c.test: no such host.',
    ],
    [
      '',
      'Error: chart "shop" matching 9.9.9 not found in slipway index. (try \'helm repo update\'): no chart version found for shop-9.9.9',
      'chart_not_found',
      'c.test has no index: chart "shop" matching 9.9.9 not found',
    ],
  ])('is told of %j and %j', (stdout, stderr, code, words) => {
    const error = new CommandError({ program: 'helm', args: [], failure: 'failed', stdout, stderr });
    expect(fetchFailure(error, 'index', 'c.test')).toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });
});
