import type { EngineName } from '../../transcripts/transcript.js';

type Programs = Readonly<Record<EngineName, string>>;

/** Which helm the API is proven with: each major on one engine, and by the pages on the other. */
export const HELM_OF_API: Programs = { docker: 'helm3', podman: 'helm' };
export const HELM_OF_PAGES: Programs = { docker: HELM_OF_API.podman, podman: HELM_OF_API.docker };
