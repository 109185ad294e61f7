import type { EngineName } from '../../transcripts/transcript.js';

type Programs = Readonly<Record<EngineName, string>>;

/** The API tests use a different major version of helm on each engine, and the browser tests use the other one. */
export const HELM_OF_API: Programs = { docker: 'helm3', podman: 'helm' };
export const HELM_OF_PAGES: Programs = { docker: HELM_OF_API.podman, podman: HELM_OF_API.docker };
