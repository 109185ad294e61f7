import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import { ClustersStore } from '../../shared/live/clusters-store';
import { provideApi } from '../../shared/testing/fake-api';
import { anExternalCluster } from '../../shared/testing/records';
import { StoreLinesDialog } from './store-lines-dialog';

const ESTIMATE = {
  containers: 12,
  sampled: 12,
  lines_per_second: 41.5,
  bytes_per_day: 420_000_000,
  disk_bytes: 700_000_000,
  days: 7,
};

describe('StoreLinesDialog', () => {
  it('shows the error of an estimate, then the estimate, and stores only what was estimated', async () => {
    const asked: unknown[] = [];
    const sent: unknown[] = [];
    const closed: unknown[] = [];
    const history = [{ namespace: 'web', selector: null }];
    TestBed.configureTestingModule({
      providers: [
        { provide: ClustersStore, useValue: { find: () => anExternalCluster({ history }) } },
        provideApi({
          'GET /api/v1/clusters/{name}/resources/{group}/{version}/{plural}': () => ({
            rows: [{ name: 'shop' }, { name: 'web' }],
          }),
          'GET /api/v1/external-clusters/{name}/history-estimate': ({ namespace, selector }) => {
            asked.push({ namespace, selector });
            if (asked.length === 1) throw new ApiProblem('resource_forbidden', 'You may not.', 403);
            return ESTIMATE;
          },
          'PATCH /api/v1/external-clusters/{name}': (_params, body) => {
            sent.push(body);
            return anExternalCluster();
          },
        }),
        { provide: DIALOG_DATA, useValue: { name: 'prod', namespace: 'shop' } },
        { provide: DialogRef, useValue: { close: (result: unknown) => closed.push(result) } },
      ],
    });
    const fixture = TestBed.createComponent(StoreLinesDialog);
    const root = fixture.nativeElement as HTMLElement;
    const settle = async (): Promise<void> => {
      await fixture.whenStable();
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    };
    const submit = async (): Promise<void> => {
      root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
      await settle();
    };
    await settle();
    expect([...root.querySelectorAll('option')].map(({ value }) => value)).toEqual(['shop', 'web']);
    await submit();
    expect(root.textContent).toContain('You may not.');
    await submit();
    expect(root.textContent).toContain(
      'About 42 lines/s, 420 MB per day, at most 700 MB on disk for 7 days.',
    );
    const [, selector] = root.querySelectorAll('input');
    if (!selector) throw new Error('there is no field');
    selector.value = 'app=web';
    selector.dispatchEvent(new Event('input'));
    await settle();
    expect(root.textContent).not.toContain('420 MB');
    await submit();
    expect(sent).toEqual([]);
    await submit();
    expect(asked.at(-1)).toEqual({ namespace: 'shop', selector: 'app=web' });
    expect(sent).toEqual([{ history: [{ namespace: 'web' }, { namespace: 'shop', selector: 'app=web' }] }]);
    expect(closed).toEqual([{ namespace: 'shop', selector: 'app=web' }]);
  });
});
