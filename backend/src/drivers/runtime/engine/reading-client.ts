import { list, required, type Reader } from '../../../core/parsing/index.js';
import type { EngineClient } from './engine-client.js';
import * as responses from './engine-responses.js';

/** @param client of dockerode, whose responses have the declared types only after they have been read here */
export function readingClient(client: EngineClient): EngineClient {
  client.version = reading(client.version.bind(client), responses.engineVersion);
  client.info = reading(client.info.bind(client), responses.engineInfo);
  client.listContainers = reading(client.listContainers.bind(client), list(responses.containerSummary));
  client.listImages = reading(client.listImages.bind(client), list(responses.imageSummary));
  client.listVolumes = reading(client.listVolumes.bind(client), responses.volumeList);
  const { getContainer, getVolume, getImage } = client;
  client.getContainer = (id) => {
    const container = getContainer.call(client, id);
    container.inspect = reading(container.inspect.bind(container), responses.inspectedContainer);
    container.stats = reading(container.stats.bind(container), responses.containerStats);
    return container;
  };
  client.getVolume = (name) => {
    const volume = getVolume.call(client, name);
    volume.inspect = reading(volume.inspect.bind(volume), responses.inspectedVolume);
    return volume;
  };
  client.getImage = (reference) => {
    const image = getImage.call(client, reference);
    image.inspect = reading(image.inspect.bind(image), responses.inspectedImage);
    return image;
  };
  return client;
}

function reading<TOptions, TValue>(
  call: (options: TOptions) => Promise<unknown>,
  reader: Reader<TValue>,
): (options: TOptions) => Promise<TValue> {
  return async (options) => required(reader, await call(options), 'the response of the engine');
}
