import { list, required, type Reader } from '../../../core/parsing/index.js';
import type { EngineClient } from './engine-client.js';
import * as responses from './engine-responses.js';

/** @param client of dockerode, whose responses have the declared types only after they have been read here */
export function readingClient(client: EngineClient): EngineClient {
  return {
    ping: (options) => client.ping(options),
    version: (options) => read(responses.engineVersion, client.version(options)),
    info: (options) => read(responses.engineInfo, client.info(options)),
    listContainers: (options) => read(list(responses.containerSummary), client.listContainers(options)),
    listImages: (options) => read(list(responses.imageSummary), client.listImages(options)),
    listVolumes: (options) => read(responses.volumeList, client.listVolumes(options)),
    getEvents: (options) => client.getEvents(options),
    createImage: (options) => client.createImage(options),
    getContainer: (id) => {
      const container = client.getContainer(id);
      return {
        inspect: (options) => read(responses.inspectedContainer, container.inspect(options)),
        getArchive: (options) => container.getArchive(options),
        stats: (options) => read(responses.containerStats, container.stats(options)),
        remove: (options) => container.remove(options),
        start: (options) => container.start(options),
        stop: (options) => container.stop(options),
        pause: (options) => container.pause(options),
        unpause: (options) => container.unpause(options),
        update: (options) => container.update(options),
      };
    },
    getNetwork: (name) => client.getNetwork(name),
    getVolume: (name) => {
      const volume = client.getVolume(name);
      return {
        inspect: (options) => read(responses.inspectedVolume, volume.inspect(options)),
        remove: (options) => volume.remove(options),
      };
    },
    getImage: (reference) => {
      const image = client.getImage(reference);
      return {
        inspect: (options) => read(responses.inspectedImage, image.inspect(options)),
        remove: (options) => image.remove(options),
      };
    },
    modem: client.modem,
  };
}

async function read<TValue>(reader: Reader<TValue>, response: Promise<unknown>): Promise<TValue> {
  return required(reader, await response, 'the response of the engine');
}
