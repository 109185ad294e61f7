import { TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { describe, expect, it } from '@jest/globals';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster } from '../../shared/testing/records';
import { FirstSteps } from './first-steps';

const MERGED = {
  merged: true,
  current: false,
  outdated: false,
  context: 'kind-shop',
  file: '~/.kube/config',
  problem: null,
};

describe('FirstSteps', () => {
  it('adds the cluster to the kubeconfig, and links to the actions of Slipway', async () => {
    TestBed.configureTestingModule({
      providers: [
        provideRouter([]),
        provideApi({ 'POST /api/v1/clusters/{name}/kubeconfig/merge': () => Promise.resolve(MERGED) }),
      ],
    });
    const fixture = TestBed.createComponent(FirstSteps);
    fixture.componentRef.setInput('cluster', aCluster({ name: 'shop' }));
    let merges = 0;
    fixture.componentInstance.merged.subscribe(() => (merges += 1));
    await fixture.whenStable();
    const page = fixture.nativeElement as HTMLElement;
    expect([...page.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
      'Connect',
      'Deploy',
      'Expose',
      'Read logs',
    ]);
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/cluster/shop/apply?runtime=docker',
      '/cluster/shop/resources/apps/v1/deployments?runtime=docker',
      '/log-board?runtime=docker&cluster=shop',
    ]);
    page.querySelector('button')?.click();
    await new Promise((resolve) => setTimeout(resolve));
    await fixture.whenStable();
    expect(merges).toBe(1);
    expect(page.textContent).toContain('Added to your kubeconfig.');
    expect(page.querySelector('sw-command-line')?.textContent).toContain(
      'kubectl --context kind-shop get nodes',
    );
  });
});
