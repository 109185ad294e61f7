import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseExecPlugin, pluginFingerprint, resolvePlugin } from './exec-plugin.js';

const V1 = 'client.authentication.k8s.io/v1';
const V1BETA1 = 'client.authentication.k8s.io/v1beta1';
const MINIMAL = { apiVersion: V1, command: 'aws', interactiveMode: 'Never' };

describe('parseExecPlugin', () => {
  it('reads all fields, ignores unknown ones, and makes installHint one plain line', () => {
    const exec = {
      ...MINIMAL,
      args: ['eks', 'get-token'],
      env: [{ name: 'AWS_PROFILE', value: 'shop' }, { name: 'EMPTY' }],
      installHint: 'Install it:\n\u001b[31m\u202epip install aws\u0007\n',
      provideClusterInfo: true,
      extra: 1,
    };
    expect(parseExecPlugin(exec)).toEqual({
      ...MINIMAL,
      args: ['eks', 'get-token'],
      env: [
        { name: 'AWS_PROFILE', value: 'shop' },
        { name: 'EMPTY', value: '' },
      ],
      installHint: 'Install it: \ufffdpip install aws',
      provideClusterInfo: true,
    });
  });

  it('has the defaults of client-go: interactiveMode IfAvailable for v1beta1, and null lists are empty', () => {
    const exec = { apiVersion: V1BETA1, command: 'aws', args: null, env: null };
    const expected = { args: [], env: [], installHint: null, provideClusterInfo: false };
    expect(parseExecPlugin(exec)).toEqual({
      apiVersion: V1BETA1,
      command: 'aws',
      interactiveMode: 'IfAvailable',
      ...expected,
    });
  });

  it.each([
    ['exec must be an object', 'aws'],
    ['exec.apiVersion must be', { ...MINIMAL, apiVersion: 'client.authentication.k8s.io/v1alpha1' }],
    ['exec.command is required', { ...MINIMAL, command: undefined }],
    ['exec.command must be a string', { ...MINIMAL, command: ['aws'] }],
    ['exec.command contains a NUL character', { ...MINIMAL, command: 'a\0b' }],
    ['exec.interactiveMode must be', { ...MINIMAL, interactiveMode: undefined }],
    ['exec.interactiveMode must be', { ...MINIMAL, interactiveMode: 'Sometimes' }],
    ['exec.provideClusterInfo must be', { ...MINIMAL, provideClusterInfo: 'yes' }],
    ['exec.args must be a list', { ...MINIMAL, args: 'eks' }],
    ['exec.args has more than 100 items', { ...MINIMAL, args: Array(101).fill('') }],
    ['exec.args[1] must be a string', { ...MINIMAL, args: ['a', 1] }],
    ['exec.args[0] is longer than', { ...MINIMAL, args: ['a'.repeat(20_000)] }],
    ['exec.env has more than 100 items', { ...MINIMAL, env: Array(101).fill({ name: 'A' }) }],
    ['exec.env[0] must be an object', { ...MINIMAL, env: ['A=B'] }],
    ['exec.env[0].name is invalid', { ...MINIMAL, env: [{ name: 'A=B', value: '' }] }],
    ['exec.env[0].name is invalid', { ...MINIMAL, env: [{ value: 'secret' }] }],
    ['exec.env[0].value must be a string', { ...MINIMAL, env: [{ name: 'A', value: 1 }] }],
  ])('rejects: %s (%#)', (message, exec) => {
    expect(() => parseExecPlugin(exec)).toThrow(message);
  });
});

describe('resolvePlugin', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-plugin-'));
    for (const name of ['first', 'second']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'first', 'login'));
    writeFileSync(join(folder, 'second', 'login'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'second', 'text'), '');
    chmodSync(join(folder, 'second', 'text'), 0o644);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const find = (command: string, path?: string, installHint?: string): Promise<string> =>
    resolvePlugin(parseExecPlugin({ ...MINIMAL, command, installHint }), folder, path);

  it('takes a command with a slash relative to the folder of the kubeconfig', async () => {
    const login = join(folder, 'second', 'login');
    expect(await find('./second/login')).toBe(login);
    expect(await find('second/../second/login')).toBe(login);
    expect(await find(login)).toBe(login);
  });

  it('searches other commands in PATH, past folders with that name and relative entries', async () => {
    const path = ['second', '', join(folder, 'first'), join(folder, 'second')].join(':');
    expect(await find('login', path)).toBe(join(folder, 'second', 'login'));
    await expect(find('login', 'second')).rejects.toThrow('no folder of PATH has');
    await expect(find('login')).rejects.toThrow('no folder of PATH has');
  });

  it('rejects what is missing or not executable, with the install hint', async () => {
    await expect(find('./text', '', 'Run pip install')).rejects.toMatchObject({
      code: 'command_unavailable',
      message: `Could not find the credential plugin text: ${join(folder, 'text')} does not exist or is not an executable file. Run pip install.`,
    });
    await expect(find('second/text')).rejects.toThrow('Install it, or correct exec.command');
    await expect(find('text', join(folder, 'second'), 'See example.com!')).rejects.toThrow(
      'name. See example.com!',
    );
  });
});

describe('pluginFingerprint', () => {
  it('changes with command, arguments, path and environment, and with nothing else', () => {
    const plugin = parseExecPlugin({ ...MINIMAL, args: ['a', 'b'], env: [{ name: 'A', value: 'b' }] });
    const prints = [
      pluginFingerprint(plugin, '/bin/aws'),
      pluginFingerprint(plugin, '/usr/bin/aws'),
      pluginFingerprint({ ...plugin, command: './aws' }, '/bin/aws'),
      pluginFingerprint({ ...plugin, args: ['a b'] }, '/bin/aws'),
      pluginFingerprint({ ...plugin, env: [{ name: 'A', value: 'c' }] }, '/bin/aws'),
      pluginFingerprint({ ...plugin, args: ['a', 'b', 'A'], env: [] }, '/bin/aws'),
    ];
    expect(new Set(prints).size).toBe(prints.length);
    expect(prints[0]).toMatch(/^[\da-f]{64}$/);
    expect(pluginFingerprint({ ...plugin, installHint: 'x' }, '/bin/aws')).toBe(prints[0]);
  });
});
