import type { DiagnosticCheckDto, DiagnosticsDto } from '../../shared/api/api-types';

/** What fixes something: a command to paste, a page to open, or advice to read. */
export type Fix =
  { sort: 'command'; text: string } | { sort: 'page'; text: string } | { sort: 'advice'; text: string };

/** The server gives one text for all three; advice is a sentence, with a capital and a full stop. */
export function readFix(text: string | null): Fix | null {
  if (text === null || text.trim() === '') return null;
  if (/^https?:\/\/\S+$/.test(text)) return { sort: 'page', text };
  if (/^[A-Z].*\.$/s.test(text)) return { sort: 'advice', text };
  return { sort: 'command', text };
}

const RANK: Readonly<Record<DiagnosticCheckDto['level'], number>> = { problem: 0, warning: 1, ok: 2 };

/** What needs a person first; otherwise in the order that the server chose. */
export function orderChecks(checks: readonly DiagnosticCheckDto[]): DiagnosticCheckDto[] {
  return [...checks].sort((one, other) => RANK[one.level] - RANK[other.level]);
}

export interface Verdict {
  level: DiagnosticCheckDto['level'];
  title: string;
  text: string;
}

/** The whole page in one sentence. */
export function verdictOf({ ready, checks, runtimes }: DiagnosticsDto): Verdict {
  const engines = runtimes.filter(({ available, id }) => available && id !== 'demo');
  const warnings = checks.filter(({ level }) => level === 'warning').length;
  if (!ready) {
    return {
      level: 'problem',
      title: 'This machine cannot make clusters yet',
      text: 'What is missing stands below, each with what fixes it. This page looks again by itself.',
    };
  }
  if (engines.length === 0) {
    return {
      level: 'warning',
      title: 'Only the demo runs here',
      text: 'Its clusters are simulated: they can be made and deleted, but nothing runs in them. With Docker or Podman, and kind, they become real.',
    };
  }
  if (warnings > 0) {
    return {
      level: 'warning',
      title: 'This machine can make clusters',
      text: `${warnings === 1 ? 'One thing deserves' : `${warnings} things deserve`} a look all the same.`,
    };
  }
  return { level: 'ok', title: 'This machine can make clusters', text: 'Nothing stands in the way.' };
}

export type Platform = 'linux' | 'mac' | 'windows';

/** The system of the browser, which on a product that listens on loopback is the server's own. */
export function readPlatform(userAgent: string): Platform {
  if (/Windows/i.test(userAgent)) return 'windows';
  return /Mac OS X|Macintosh/i.test(userAgent) ? 'mac' : 'linux';
}

export interface InstallStep {
  title: string;
  command: string | null;
  page: string;
}

const KIND_PAGE = 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation';

/** What to install for clusters that are real: one of the two engines, then kind. */
export function installSteps(platform: Platform): { engines: InstallStep[]; kind: InstallStep } {
  switch (platform) {
    case 'mac':
      return {
        engines: [
          {
            title: 'Docker Desktop',
            command: 'brew install --cask docker-desktop',
            page: 'https://docs.docker.com/desktop/setup/install/mac-install/',
          },
          {
            title: 'Podman',
            command: 'brew install podman && podman machine init && podman machine start',
            page: 'https://podman.io/docs/installation#macos',
          },
        ],
        kind: { title: 'kind', command: 'brew install kind', page: KIND_PAGE },
      };
    case 'windows':
      return {
        engines: [
          {
            title: 'Docker Desktop, with WSL 2',
            command: 'winget install Docker.DockerDesktop',
            page: 'https://docs.docker.com/desktop/setup/install/windows-install/',
          },
          {
            title: 'Podman inside WSL 2',
            command: 'sudo apt install podman && systemctl --user enable --now podman.socket',
            page: 'https://podman.io/docs/installation#installing-on-linux',
          },
        ],
        kind: { title: 'kind', command: null, page: KIND_PAGE },
      };
    case 'linux':
      return {
        engines: [
          {
            title: 'Docker Engine',
            command: null,
            page: 'https://docs.docker.com/engine/install/',
          },
          {
            title: 'Podman',
            command: 'sudo apt install podman && systemctl --user enable --now podman.socket',
            page: 'https://podman.io/docs/installation#installing-on-linux',
          },
        ],
        kind: { title: 'kind', command: null, page: KIND_PAGE },
      };
  }
}
