/** Every request that the product makes, in the spelling of the transcripts. Other requests fail. */
const OPERATIONS = {
  ping: /^GET \/_ping$/,
  version: /^GET \/version$/,
  info: /^GET \/info$/,
  listAll: /^GET \/containers\/json\?all=true&filters=\{"label":\["io\.x-k8s\.kind\.cluster"\]\}$/,
  listOne: /^GET \/containers\/json\?all=true&filters=\{"label":\["io\.x-k8s\.kind\.cluster=([^"]+)"\]\}$/,
  listEvery: /^GET \/containers\/json\?all=true&filters=\{\}$/,
  inspect: /^GET \/containers\/([^/]+)\/json$/,
  archive: /^GET \/containers\/([^/]+\/archive\?path=\/.+)$/,
  logs: /^GET \/containers\/([^/]+\/logs\?follow=(?:true|false)&stdout=true&stderr=true&timestamps=true(?:&since=\d+\.\d{6})?(?:&tail=\d+)?)$/,
  stats: /^GET \/containers\/([^/]+)\/stats\?stream=false&one-shot=true$/,
  events:
    /^GET \/events\?filters=\{"type":\["container"\],"event":\["start","die","died","oom","pause","unpause","destroy","remove","create","rename"\]\}$/,
  images: /^GET \/images\/json$/,
  image: /^GET \/images\/(.+)\/json$/,
  saveImage: /^GET \/images\/(.+)\/get$/,
  removeImage: /^DELETE \/images\/(.+)$/,
  pull: /^POST \/images\/create\?fromImage=([^&]+)$/,
  volumes: /^GET \/volumes$/,
  volume: /^GET \/volumes\/([^/]+)$/,
  measure: /^GET \/system\/df$/,
  execute: /^POST \/containers\/([^/]+)\/exec$/,
  startExecution: /^POST \/exec\/([^/]+)\/start$/,
  execution: /^GET \/exec\/([^/]+)\/json$/,
  start: /^POST \/containers\/([^/]+)\/start$/,
  stop: /^POST \/containers\/([^/]+)\/stop\?t=30$/,
  pause: /^POST \/containers\/([^/]+)\/pause$/,
  unpause: /^POST \/containers\/([^/]+)\/unpause$/,
  update: /^POST \/containers\/([^/]+)\/update$/,
  disconnect: /^POST \/networks\/(kind)\/disconnect$/,
  connect: /^POST \/networks\/(kind)\/connect$/,
  removeContainer: /^DELETE \/containers\/([^/]+)\?force=true&v=true$/,
  removeVolume: /^DELETE \/volumes\/([^/]+)$/,
} as const;

export type Operation = keyof typeof OPERATIONS;
const CHANGES = ['start', 'stop', 'pause', 'unpause', 'update'] as const;
export type Change = (typeof CHANGES)[number];

export function isChange(operation: Operation): operation is Change {
  return CHANGES.includes(operation as Change);
}

export function operationOf(line: string): { operation: Operation; argument: string } | undefined {
  for (const [operation, pattern] of Object.entries(OPERATIONS)) {
    const match = pattern.exec(line);
    if (match) return { operation: operation as Operation, argument: match[1] ?? '' };
  }
  return undefined;
}
