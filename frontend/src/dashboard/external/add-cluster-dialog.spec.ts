import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import { provideApi } from '../../shared/testing/fake-api';
import { anExternalCluster } from '../../shared/testing/records';
import { AddClusterDialog, type AddClusterOptions } from './add-cluster-dialog';

describe('AddClusterDialog', () => {
  it('lets the user choose the context of a pasted kubeconfig, and sends the chosen one', async () => {
    const sent: unknown[] = [];
    let closed: unknown;
    TestBed.configureTestingModule({
      providers: [
        provideApi({
          'POST /api/v1/external-clusters': (_params, body) => {
            sent.push(body);
            if (sent.length > 1) return anExternalCluster();
            throw new ApiProblem('context_not_found', 'Choose one of a, b.', 404, { contexts: ['a', 'b'] });
          },
        }),
        { provide: DIALOG_DATA, useValue: { context: null } satisfies AddClusterOptions },
        { provide: DialogRef, useValue: { close: (result: unknown) => (closed = result) } },
      ],
    });
    const fixture = TestBed.createComponent(AddClusterDialog);
    const root = fixture.nativeElement as HTMLElement;
    await fixture.whenStable();
    const text = root.querySelector('textarea');
    if (!text) throw new Error('there is no text area');
    text.value = 'kind: Config';
    text.dispatchEvent(new Event('input'));
    const submit = async (): Promise<void> => {
      root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
      await fixture.whenStable();
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    };
    await submit();
    expect([...root.querySelectorAll('option')].map(({ value }) => value)).toEqual(['a', 'b']);
    expect(root.querySelector('select')?.value).toBe('a');
    await submit();
    expect(sent).toEqual([
      { kubeconfig: 'kind: Config', color: 'gray', note: '' },
      { kubeconfig: 'kind: Config', context: 'a', color: 'gray', note: '' },
    ]);
    expect(closed).toMatchObject({ name: 'prod' });
  });
});
