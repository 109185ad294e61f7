import { createHash } from 'node:crypto';
import { Header, list, type ReadEntry } from 'tar';

const BLOCK_BYTES = 512;

/** A tar archive of these files. */
export function tarOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text as string);
    const header = Buffer.alloc(BLOCK_BYTES);
    new Header({ path, size: content.length, mode: 0o644, type: 'File', mtime: new Date(0) }).encode(header);
    return [header, content, Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK_BYTES)]);
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An archive of one image as `docker save` writes it, with a layer of the given size. */
export function dockerArchive(references: readonly string[], layerBytes = 10): { bytes: Buffer; id: string } {
  const config = JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs: references });
  const digest = sha256(config);
  const manifest = JSON.stringify([
    { Config: `${digest}.json`, RepoTags: references.length > 0 ? references : null, Layers: ['layer.tar'] },
  ]);
  const bytes = tarOf({
    'layer.tar': Buffer.alloc(layerBytes),
    [`${digest}.json`]: config,
    'manifest.json': manifest,
  });
  return { bytes, id: `sha256:${digest}` };
}

/** An archive of one image as `podman save --format=oci-archive` writes it, with the given number of nested indexes. */
export function ociArchive(reference: string, indexes = 0): { bytes: Buffer; id: string } {
  const files: Record<string, string> = { 'oci-layout': '{"imageLayoutVersion":"1.0.0"}' };
  const put = (text: string): string => {
    files[`blobs/sha256/${sha256(text)}`] = text;
    return `sha256:${sha256(text)}`;
  };
  const id = put(JSON.stringify({ architecture: 'amd64', os: 'linux', name: reference }));
  let digest = put(JSON.stringify({ schemaVersion: 2, config: { digest: id }, layers: [] }));
  for (let depth = 0; depth < indexes; depth += 1) {
    digest = put(JSON.stringify({ schemaVersion: 2, depth, manifests: [{ digest }] }));
  }
  const annotations = { 'org.opencontainers.image.ref.name': reference };
  files['index.json'] = JSON.stringify({ schemaVersion: 2, manifests: [{ digest, annotations }] });
  return { bytes: tarOf(files), id };
}

/** The images of a node after it loaded an archive in Docker's format: each name as containerd writes it. */
export async function imagesIn(file: string): Promise<{ id: string; reference: string }[]> {
  const chunks: Buffer[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry: ReadEntry) => {
      if (entry.path === 'manifest.json') entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    },
  });
  const manifest = JSON.parse(Buffer.concat(chunks).toString()) as { Config: string; RepoTags: string[] }[];
  return manifest.flatMap(({ Config, RepoTags }) =>
    RepoTags.map((name) => ({
      id: `sha256:${Config.replace('.json', '')}`,
      reference: name.startsWith('docker.io/') ? name : `docker.io/${name}`,
    })),
  );
}
