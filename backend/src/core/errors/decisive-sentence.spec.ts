import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { LONG_FAILURES } from '../../../../test/support/hostile/long-texts.js';
import { readOutputs } from '../../../../test/support/programs/recorded-outputs.js';
import { decisiveSentence } from './decisive-sentence.js';

describe('decisiveSentence', () => {
  it.each(readOutputs().map((output) => [`${output.tool}: ${output.name}`, output] as const))(
    'is found in the output of %s',
    (_, { stdout, stderr, sentence }) => {
      expect(sentence).not.toBe('');
      expect(decisiveSentence(stderr) || decisiveSentence(stdout)).toBe(sentence);
    },
  );

  it('is proven with at least 60 real outputs of each kind of program', () => {
    const outputs = readOutputs();
    expect(outputs.length).toBeGreaterThanOrEqual(60);
    expect([...new Set(outputs.map(({ tool }) => tool))].sort()).toEqual([
      'docker',
      'helm3',
      'helm4',
      'kind',
      'podman',
    ]);
  });

  it.each([
    [
      'failed checks of kubeadm, with a trace',
      'ERROR: failed to init node with kubeadm: command "docker exec a" failed with error: exit status 1\n\nCommand Output: I0101 00:00:00.000000 1 a.go:1] x\n[preflight] Some fatal errors occurred:\n\t[ERROR Port-6443]: Port 6443 is in use\n\t[ERROR NumCPU]: too few CPUs\n[preflight] If you know what you are doing, use --ignore-preflight-errors=...\nerror execution phase preflight\nk8s.io/kubernetes/cmd/kubeadm/app/cmd/phases/workflow.(*Runner).Run.func1\n\tk8s.io/kubernetes/cmd/kubeadm/app/cmd/phases/workflow/runner.go:262\nruntime.main\n',
      '[ERROR Port-6443]: Port 6443 is in use [ERROR NumCPU]: too few CPUs',
    ],
    [
      'a phase of kubeadm, with a trace',
      'error: error execution phase kubelet-start: cannot get Node: not found\nTo see the stack trace of this error execute with --v=5 or higher\n',
      'error execution phase kubelet-start: cannot get Node: not found',
    ],
    [
      'a fail of a chart with empty lines',
      'Error: execution error at (redis/templates/NOTES.txt:200:4): \nVALUES VALIDATION:\n\nredis: architecture\n    Invalid architecture. Valid values: standalone\n\nUse --debug flag to render out invalid YAML\n',
      'execution error at (redis/templates/NOTES.txt:200:4): VALUES VALIDATION: redis: architecture Invalid architecture. Valid values: standalone',
    ],
    [
      'a program that is missing in a node',
      'ERROR: failed to create cluster: command "docker exec --privileged a sh -c \'systemctl restart containerd\'" failed with error: exit status 127\n\nCommand Output: sh: 1: systemctl: not found\n',
      'sh: 1: systemctl: not found',
    ],
    [
      'kind without the output of its program',
      'ERROR: failed to create cluster: command "docker run --name a --label b=c" failed with error: exit status 125\n\nCommand Output: ',
      'failed to create cluster: docker failed: exit status 125',
    ],
    [
      'an entry of a log',
      'time="2026-01-01T00:00:00Z" level=fatal msg="no space left on device"\n',
      'no space left on device',
    ],
    [
      'a crash',
      'panic: runtime error: index out of range [1]\n\ngoroutine 1 [running]:\nmain.main()\n',
      'runtime error: index out of range [1]',
    ],
    [
      'the status of an inner program',
      'Error response from daemon: bridge is a pre-defined network\nexit status 1\n',
      'bridge is a pre-defined network',
    ],
    [
      'a flag of docker',
      "docker: invalid hostPort: 99999\n\nRun 'docker run --help' for more information\n",
      'invalid hostPort: 99999',
    ],
    ['control characters', '\u001b[31mError: \u001b[0m bad\u202e name\r\n', 'bad\ufffd name'],
    ['a warning first', 'WARNING: Error loading config file: denied\nError: no such host\n', 'no such host'],
    ['a deprecation last', 'Error: no such host\nWARNING: this flag is deprecated\n', 'no such host'],
    ['nothing', ' \n', ''],
  ])('is found for %s', (_, output, sentence) => {
    expect(decisiveSentence(output)).toBe(sentence);
  });

  it('is the start and the end of a long chain of errors', () => {
    const chain = 'error calling include: '.repeat(1000);
    const sentence = decisiveSentence(`Error: a.yaml: ${chain}nested reference name\n\nUse --debug flag\n`);
    expect(sentence).toMatch(/^a\.yaml: error calling .* characters omitted\] .* nested reference name$/);
    expect(sentence.length).toBeLessThan(2100);
  });

  it.each(LONG_FAILURES)('is found in linear time: %s', (_, text) => {
    const milliseconds = cpuTimeOf(() => {
      decisiveSentence(text);
      decisiveSentence(`Error: ${text}`);
      decisiveSentence(`command "a ${text}" failed with error: `);
    });
    expect(milliseconds).toBeLessThan(500);
  });
});
