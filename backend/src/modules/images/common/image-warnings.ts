import { fullReference } from '../../../drivers/runtime/index.js';

/** Problems that Pods may have with an image that is loaded under this reference. */
export function imageWarnings(reference: string): string[] {
  const warnings: string[] = [];
  if (fullReference(reference).endsWith(':latest')) {
    warnings.push(
      `${reference}: for the tag latest, Kubernetes pulls the image at each start and ignores the loaded one, unless the Pod sets imagePullPolicy: IfNotPresent or Never.`,
    );
  }
  if (reference.startsWith('localhost/')) {
    warnings.push(
      `${reference}: Podman added localhost/ because the image was built locally. The Pod’s image must include localhost/, too.`,
    );
  }
  return warnings;
}
