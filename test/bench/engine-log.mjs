import { request } from 'node:http';

/** Reads a container's log through the engine's API: the lower bound for any client of the engine. */
export class EngineLog {
  /** Milliseconds from the writing of each line to its arrival here. */
  ages = [];

  /** Follows it on a separate connection. */
  static follow(engine, id) {
    const log = new EngineLog();
    // Podman takes `tail=0` for all that there is.
    const tail = engine === 'podman' ? '' : '&tail=0';
    log.request = ask(engine, `/containers/${id}/logs?follow=1&stdout=1&stderr=1${tail}`, (answer) => {
      answer.setEncoding('latin1');
      answer.on('data', (text) => {
        const now = performance.timeOrigin + performance.now();
        for (const [, at] of text.matchAll(/t=(\d+\.\d+)/g)) log.ages.push(now - Number(at) * 1000);
      });
    });
    log.request.on('error', () => undefined);
    return log;
  }

  /** @returns milliseconds until the newest lines were here. */
  static async timeToRead(engine, id, lines) {
    const began = performance.now();
    await new Promise((resolve, reject) => {
      ask(engine, `/containers/${id}/logs?stdout=1&stderr=1&tail=${lines}`, (answer) => {
        answer.on('error', reject);
        answer.on('end', resolve);
        answer.resume();
      }).on('error', reject);
    });
    return performance.now() - began;
  }

  end() {
    this.request.destroy();
  }
}

function ask(engine, path, onAnswer) {
  const socketPath =
    engine === 'podman'
      ? (process.env.APP_PODMAN_SOCKET ?? '/run/podman/podman.sock')
      : (process.env.DOCKER_HOST ?? '/var/run/docker.sock').replace('unix://', '');
  const question = request({ socketPath, path }, onAnswer);
  question.end();
  return question;
}
