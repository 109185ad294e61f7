import { describe, expect, it } from '@jest/globals';
import { FileLines } from './file-lines.js';

const NOW = Date.UTC(2027, 0, 2, 12);
const parse = (...texts: string[]): (string | number | null)[][] =>
  new FileLines(() => NOW)
    .take(texts)
    .map(({ service, line }) => [service, new Date(line.time / 1000).toISOString(), line.level, line.text]);

describe('FileLines', () => {
  it('assigns lines to the last header and removes headers', () => {
    const kubelet = 'I0102 11:59:58.386766     100 transport.go:147] "Certificate rotation detected"';
    const containerd = 'time="2027-01-02T11:59:59.536895917Z" level=warning msg="slow"';
    expect(
      parse('==> /var/log/kubelet.log <==', kubelet, '', '==> /var/log/containerd.log <==', containerd),
    ).toEqual([
      ['kubelet', '2027-01-02T11:59:58.386Z', 'info', kubelet],
      ['containerd', '2027-01-02T11:59:59.536Z', 'warn', containerd],
    ]);
  });

  it('gives continuation lines the level of the first line', () => {
    const head = 'E0102 11:59:58.386766     100 panic.go:1] gone';
    const levels = parse('==> /var/log/kubelet.log <==', head, '\tat x', 'bare').map(([, , level]) => level);
    expect(levels).toEqual(['error', 'error', null]);
  });

  it('skips lines before the first header and lines of other files', () => {
    expect(parse('lost', '==> /etc/passwd <==', 'root')).toEqual([]);
  });

  it('chooses the year so that lines are in the past', () => {
    const text = 'E1231 23:59:59.000001       1 a.go:1] late';
    expect(parse('==> /var/log/kubelet.log <==', text)).toEqual([
      ['kubelet', '2026-12-31T23:59:59.000Z', 'error', text],
    ]);
  });

  it('gives a line without a time the time of the previous line, or the current time', () => {
    const head = 'I0101 00:00:00.000000       1 a.go:1] first';
    const times = parse('==> /var/log/kubelet.log <==', 'bare', head, 'panic: out').map(([, time]) => time);
    expect(times).toEqual([
      '2027-01-02T12:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
  });
});
