import { TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { afterEach, describe, expect, it } from '@jest/globals';
import { aCluster, aJob } from '../../shared/testing/records';
import { FirstSteps } from './first-steps';
import { isNew, rememberClosed } from './first-steps-memory';

const END = '2026-11-21T09:41:20.000Z';
const NOW = Date.parse(END) + 60_000;
const CREATED = aJob({ state: 'succeeded', finished_at: END });

afterEach(() => localStorage.clear());

describe('FirstSteps', () => {
  it('has commands for the context of the cluster, and links to its pages', async () => {
    TestBed.configureTestingModule({ providers: [provideRouter([])] });
    const fixture = TestBed.createComponent(FirstSteps);
    fixture.componentRef.setInput('cluster', aCluster({ name: 'shop' }));
    await fixture.whenStable();
    const page = fixture.nativeElement as HTMLElement;
    const texts = (selector: string): string[] =>
      [...page.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
    expect(texts('h3')).toEqual(['Connect kubectl', 'Deploy', 'Expose', 'Read logs']);
    const commands = texts('sw-command-line code');
    expect(commands.length).toBe(5);
    expect(commands.filter((text) => !text.startsWith('kubectl --context kind-shop '))).toEqual([]);
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/cluster/shop/apply?runtime=docker',
      '/cluster/shop/addons?runtime=docker',
      '/log-board?runtime=docker&cluster=shop',
    ]);
  });
});

describe('isNew', () => {
  it('is true for an hour after a creation that succeeded', () => {
    const cluster = aCluster();
    expect(isNew(cluster, CREATED, NOW)).toBe(true);
    expect(isNew(cluster, CREATED, NOW + 3_600_000)).toBe(false);
    expect(isNew(cluster, aJob({ state: 'failed', finished_at: END }), NOW)).toBe(false);
    expect(isNew(cluster, undefined, NOW)).toBe(false);
  });

  it('is false after the user closed the steps, but not for a later cluster of the same name', () => {
    rememberClosed(aCluster());
    expect(isNew(aCluster(), CREATED, NOW)).toBe(false);
    expect(isNew(aCluster({ created_at: '2026-11-21T10:00:00.000Z' }), CREATED, NOW)).toBe(true);
    expect(isNew(aCluster({ runtime: 'podman' }), CREATED, NOW)).toBe(true);
  });

  it('ignores a stored value of another form', () => {
    localStorage.setItem('slipway.first-steps.closed', '{"a":1}');
    expect(isNew(aCluster(), CREATED, NOW)).toBe(true);
  });
});
