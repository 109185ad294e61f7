import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, type Type } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { Title } from '@angular/platform-browser';
import { provideRouter, Router, TitleStrategy } from '@angular/router';
import { describe, expect, it } from '@jest/globals';
import { fakeSockets } from '../../shared/live/testing/fake-socket';
import { rankEntries } from '../../shared/palette/rank-entries';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster } from '../../shared/testing/records';
import { anObject, aType } from '../../shared/testing/resource-records';
import { ConfirmDialog, type Question } from '../../shared/ui/confirm-dialog';
import { Toaster, ToastOutlet } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { uninstallQuestion } from '../addon-model/addon-labels';
import { deleteQuestion } from '../cluster-actions/questions';
import { ReviewDialog } from '../editor/review-dialog';
import { StartForwardDialog } from '../forwards/start-forward-dialog';
import { LogLink } from '../logs/log-link';
import { readCommand } from '../palette/object-commands';
import { BulkChangeDialog } from '../resources/bulk-change-dialog';
import { type BulkAction, bulkLabels } from '../resources/bulk-labels';
import { DrainDialog } from '../resources/drain-dialog';
import { ExposeDialog } from '../resources/expose-dialog';
import { FixDialog } from '../resources/fix-dialog';
import { ImageDialog } from '../resources/image-dialog';
import { ObjectSecrets } from '../resources/object-secrets';
import { ScaleDialog } from '../resources/scale-dialog';
import { DebugDialog } from '../shells/debug-dialog';
import { placeOf, titleOf } from '../shells/shell-address';
import type { ShellTarget } from '../shells/shells';
import { ProblemTitle } from './problem-title';

/** Looks like web-1. */
const NAME = 'web\u200b-1\u202e';
const SHOWN = String.raw`web\u200b-1\u202e`;
const KEY = { name: 'staging', runtime: 'docker' };
const OBJECT = anObject({
  type: aType({ group: 'apps', plural: 'deployments', kind: 'Deployment' }),
  namespace: NAME,
  name: NAME,
  hidden_keys: [NAME],
  spec: {
    template: {
      spec: { containers: [{ name: NAME, image: NAME, ports: [{ name: NAME, containerPort: 1 }] }] },
    },
  },
});
const RELEASE = { name: NAME, release: NAME, namespace: NAME };

/** Texts that people read or hear, also of attributes. */
function shownIn(root: HTMLElement): string {
  const attributes = [...root.querySelectorAll('*')].flatMap((element) =>
    ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
  );
  return [root.textContent, ...attributes].join('\n');
}

async function render(
  component: Type<unknown>,
  data: unknown = null,
  inputs: Readonly<Record<string, unknown>> = {},
): Promise<HTMLElement> {
  TestBed.configureTestingModule({
    providers: [
      fakeSockets().provider,
      provideApi({
        'GET /api/v1/clusters/{name}/images': () => ({ images: [] }),
        'POST /api/v1/clusters/{name}/resources/{group}/{version}/{plural}/effects': () => [
          { possible: true, loss: true, effect: `Deletes ${NAME}.`, warnings: [] },
        ],
        'POST /api/v1/clusters/{name}/resources/{group}/{version}/{plural}/{object}/expose': () => ({
          objects: [{ kind: 'Service', namespace: NAME, name: NAME, outcome: 'created', yaml: '' }],
          warnings: [],
        }),
      }),
      { provide: DIALOG_DATA, useValue: data },
      { provide: DialogRef, useValue: {} },
    ],
  });
  const fixture = TestBed.createComponent(component);
  for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
  const root = fixture.nativeElement as HTMLElement;
  await fixture.whenStable();
  // Some dialogs read the API first.
  for (let turn = 0; turn < 40 && root.querySelector('.dialog-form sw-skeleton-rows'); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    await fixture.whenStable();
  }
  return root;
}

function expectEscaped(text: string): void {
  expect(text).toContain(SHOWN);
  expect(text).not.toMatch(/[\u200b\u202e]/);
}

describe('names that look like others', () => {
  const all: Question = {
    title: NAME,
    text: [`${NAME} is deleted.`],
    changes: [NAME],
    losses: [NAME],
    action: `Delete ${NAME}`,
    option: { label: '', checked: false },
  };
  const node = { ...aCluster().nodes[0], name: NAME } as ReturnType<typeof aCluster>['nodes'][number];

  it.each<[string, Question]>([
    ['question', all],
    ['question to uninstall a release', uninstallQuestion(RELEASE, [], [NAME])],
    ['question to delete a cluster', deleteQuestion(aCluster({ nodes: [node] }))],
  ])('are escaped in a %s', async (_of, question) => {
    expectEscaped(shownIn(await render(ConfirmDialog, question)));
  });

  it('keep the checkbox of a question connected to its option', async () => {
    (await render(ConfirmDialog, all)).querySelector('input')?.click();
    expect(all.option?.checked).toBe(true);
  });

  it.each<[string, Type<unknown>, object]>([
    ['debug container', DebugDialog, { key: KEY, namespace: NAME, pod: NAME }],
    ['drain', DrainDialog, { key: KEY, node: NAME, losses: { bare: [NAME], emptydir: [] } }],
    ['exposed object', ExposeDialog, { key: KEY, object: OBJECT }],
    ['image', ImageDialog, { key: KEY, object: OBJECT }],
    ['port-forward', StartForwardDialog, { key: KEY, ports: [], target: { object: NAME } }],
    ['scale', ScaleDialog, { key: KEY, name: NAME, replicas: 1 }],
    [
      'fix',
      FixDialog,
      {
        fix: {
          label: `Create ${NAME}`,
          changes: `Creates ${NAME}.`,
          parameters: [{ name: 'a', label: NAME, choices: [] }],
        },
      },
    ],
    [
      'rollback',
      ReviewDialog,
      { title: `Roll back ${NAME}?`, text: '', action: '', result: { before: '', after: '', warnings: [] } },
    ],
    [
      'deletion',
      BulkChangeDialog,
      { action: 'delete', key: KEY, type: OBJECT.type, objects: [OBJECT, { ...OBJECT, name: 'web' }] },
    ],
  ])('are escaped in the dialog of a %s', async (_of, dialog, data) => {
    expectEscaped(shownIn(await render(dialog, data)));
  });

  it('are escaped in messages, whose line ends stay', async () => {
    const root = await render(ToastOutlet);
    TestBed.inject(Toaster).failed(`Could not delete ${NAME}.`, `first: ${NAME}\n\tsecond`);
    const [toast] = TestBed.inject(Toaster).toasts();
    expect(toast).toMatchObject({ title: `Could not delete ${SHOWN}.`, text: `first: ${SHOWN}\n\tsecond` });
    TestBed.tick();
    expectEscaped(shownIn(root));
  });

  it('are escaped in labels', async () => {
    expectEscaped(shownIn(await render(Labels)));
  });

  it('are escaped in the title of a page', async () => {
    TestBed.configureTestingModule({
      providers: [
        fakeSockets().provider,
        provideApi({}),
        provideRouter([
          { path: ':pod', title: ({ paramMap }) => `Files of ${paramMap.get('pod') ?? ''}`, component: Page },
        ]),
        { provide: TitleStrategy, useClass: ProblemTitle },
      ],
    });
    await TestBed.inject(Router).navigate([NAME]);
    TestBed.tick();
    expect(TestBed.inject(Title).getTitle()).toBe(`Files of ${SHOWN}`);
  });

  it('are escaped in the labels of the values of a Secret', async () => {
    expectEscaped(shownIn(await render(ObjectSecrets, null, { key: KEY, object: OBJECT })));
  });

  it.each<BulkAction>(['restart', 'scale', 'delete'])('are escaped in the labels of %s', (action) => {
    for (const label of Object.values(bulkLabels({ action, type: OBJECT.type, objects: [OBJECT] }))) {
      expectEscaped(label);
    }
  });

  it.each<ShellTarget>([
    { key: KEY, target: 'node', node: NAME },
    { key: KEY, target: 'container', namespace: NAME, pod: NAME },
    { key: KEY, target: 'container', namespace: 'shop', pod: NAME, container: NAME },
    { key: KEY, target: 'debug', namespace: NAME, pod: NAME, image: 'busybox' },
  ])('are escaped in the tab of the shell of $target', (target) => {
    expectEscaped(titleOf(target));
    expectEscaped(placeOf(target));
  });

  it.each([
    'shell',
    'forward',
    'files of',
    'expose',
    'undo',
    'restart',
    'scale',
    'change image',
    'run cronjob',
  ])('are escaped and found in the palette, as of %s', (words) => {
    const [command] = readCommand(`${words} web`)?.commands ?? [];
    const entry = { id: '1', group: 'names', icon: 'box', detail: NAME, run: () => undefined } as const;
    const [group] = rankEntries([{ ...entry, text: command?.textOf(NAME, '') ?? '' }], 'web');
    expectEscaped(group?.entries[0]?.parts.map(({ text }) => text).join('') ?? '');
  });
});

@Component({ template: '' })
class Page {}

@Component({
  imports: [LogLink, UI],
  template: `
    <a swAriaLabel="Open {{ name }}">Open</a>
    <button swIconButton="x" label="Delete {{ name }}"></button>
    <sw-copy-button text="" name="Copy {{ name }}" />
    <sw-placeholder heading="{{ name }} does not exist" />
    <sw-skeleton-rows label="Loading {{ name }}" />
    <sw-log-link [of]="{ runtime: 'docker', cluster: 'staging' }" [name]="name" />
  `,
})
class Labels {
  protected readonly name = NAME;
}
