import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import { ClustersStore } from '../../shared/live/clusters-store';
import { provideApi } from '../../shared/testing/fake-api';
import { anExternalCluster } from '../../shared/testing/records';
import { NamespaceFilter } from './namespace-filter';

describe('NamespaceFilter', () => {
  it('lets the user type a namespace if the server of an external cluster does not list them', async () => {
    const cluster = anExternalCluster({ namespace: 'shop', namespaces: ['bank'] });
    const saved: unknown[] = [];
    TestBed.configureTestingModule({
      providers: [
        provideApi({
          'GET /api/v1/clusters': () => [cluster],
          'GET /api/v1/clusters/{name}/resources/{group}/{version}/{plural}': () => {
            throw new ApiProblem('resource_forbidden', 'namespaces is forbidden', 403);
          },
          'PATCH /api/v1/external-clusters/{name}': (_params, body) => {
            saved.push(body);
            return cluster;
          },
        }),
      ],
    });
    await TestBed.inject(ClustersStore).live.reload();
    const fixture = TestBed.createComponent(NamespaceFilter);
    const chosen: (readonly string[])[] = [];
    fixture.componentInstance.choose.subscribe((namespaces) => chosen.push(namespaces));
    fixture.componentRef.setInput('key', { name: 'prod', runtime: 'kubeconfig' });
    fixture.componentRef.setInput('chosen', ['shop']);
    const settle = async (): Promise<void> => {
      await fixture.whenStable();
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    };
    await settle();
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    await settle();
    const overlay = document.querySelector('.cdk-overlay-container') ?? document.body;
    expect([...overlay.querySelectorAll('label')].map(({ textContent }) => textContent.trim())).toEqual([
      'bank',
      'shop',
    ]);
    const field = overlay.querySelector<HTMLInputElement>('form input');
    if (!field) throw new Error('there is no field');
    field.value = 'ledger';
    field.form?.dispatchEvent(new Event('submit', { cancelable: true }));
    await settle();
    expect(saved).toEqual([{ namespaces: ['bank', 'ledger'] }]);
    expect(chosen).toEqual([['ledger', 'shop']]);
  });
});
