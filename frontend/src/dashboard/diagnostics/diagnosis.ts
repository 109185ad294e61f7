import type { DiagnosticCheckDto, DiagnosticsDto } from '../../shared/api/api-types';
import { warningCount } from '../../shared/format/format';

/** How to fix a problem: a command to copy, a page to open, or advice to read. */
export interface Fix {
  kind: 'command' | 'page' | 'advice';
  text: string;
}

/** The server sends one text for all kinds. Advice is a sentence with a capital and a period. */
export function readFix(text: string | null): Fix | null {
  if (text === null || text.trim() === '') return null;
  if (/^https?:\/\/\S+$/.test(text)) return { kind: 'page', text };
  return { kind: /^[A-Z].*\.$/s.test(text) ? 'advice' : 'command', text };
}

const RANK: Readonly<Record<DiagnosticCheckDto['level'], number>> = { problem: 0, warning: 1, ok: 2 };

/** Problems first, then warnings; otherwise in the server's order. */
export function orderChecks(checks: readonly DiagnosticCheckDto[]): DiagnosticCheckDto[] {
  return [...checks].sort((one, other) => RANK[one.level] - RANK[other.level]);
}

export interface Verdict {
  level: DiagnosticCheckDto['level'];
  title: string;
  text: string;
}

export function verdictOf({ ready, checks, runtimes }: DiagnosticsDto): Verdict {
  if (!ready) {
    return {
      level: 'problem',
      title: $localize`This host cannot create clusters yet`,
      text: $localize`Fix the problems below. This page updates automatically.`,
    };
  }
  if (!runtimes.some(({ available, id }) => available && id !== 'demo')) {
    return {
      level: 'warning',
      title: $localize`Demo mode only`,
      text: $localize`Demo clusters are simulated and run nothing. Install Docker or Podman, and kind, to create real clusters.`,
    };
  }
  const warnings = checks.filter(({ level }) => level === 'warning').length;
  return {
    level: warnings > 0 ? 'warning' : 'ok',
    title: $localize`This host can create clusters`,
    text: warnings > 0 ? $localize`${warningCount(warnings)}:warnings:.` : $localize`All checks passed.`,
  };
}

export type Platform = 'linux' | 'mac' | 'windows';

/** The platform of the browser, which is the server's own as long as Slipway listens on loopback. */
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
const PODMAN_ON_LINUX = {
  command: 'sudo apt install podman && systemctl --user enable --now podman.socket',
  page: 'https://podman.io/docs/installation#installing-on-linux',
};

/** How to install a container engine (one is enough) and kind. */
export const INSTALL_STEPS: Readonly<Record<Platform, { engines: InstallStep[]; kind: InstallStep }>> = {
  mac: {
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
  },
  windows: {
    engines: [
      {
        title: $localize`Docker Desktop with WSL 2`,
        command: 'winget install Docker.DockerDesktop',
        page: 'https://docs.docker.com/desktop/setup/install/windows-install/',
      },
      { title: $localize`Podman in WSL 2`, ...PODMAN_ON_LINUX },
    ],
    kind: { title: 'kind', command: null, page: KIND_PAGE },
  },
  linux: {
    engines: [
      { title: 'Docker Engine', command: null, page: 'https://docs.docker.com/engine/install/' },
      { title: 'Podman', ...PODMAN_ON_LINUX },
    ],
    kind: { title: 'kind', command: null, page: KIND_PAGE },
  },
};
