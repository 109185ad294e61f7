import { describe, expect, it } from '@jest/globals';
import type { ProvisionLogDto, ProvisionStageDto } from '../../shared/api/api-types';
import { layOutStages } from './provision-timeline';

const BEGIN = Date.parse('2026-11-21T09:00:00.000Z');
const at = (seconds: number): string => new Date(BEGIN + seconds * 1000).toISOString();

function stage(name: string, outcome: string, from: number | null, until: number | null): ProvisionStageDto {
  return {
    name,
    title: name,
    outcome,
    output: 'done\n\n',
    started_at: from === null ? null : at(from),
    finished_at: until === null ? null : at(until),
  };
}

function log(stages: ProvisionStageDto[], until: number | null): ProvisionLogDto {
  return {
    cluster: 'staging',
    job_id: 1,
    outcome: until === null ? 'running' : 'succeeded',
    started_at: at(0),
    finished_at: until === null ? null : at(until),
    stages,
  };
}

describe('provision timeline', () => {
  it('positions each stage in time', () => {
    const stages = layOutStages(
      log([stage('a', 'succeeded', 0, 10), stage('b', 'succeeded', 10, 40)], 40),
      BEGIN,
    );
    expect(stages).toMatchObject([
      { name: 'a', left: 0, width: 25, milliseconds: 10_000, output: 'done' },
      { name: 'b', left: 25, width: 75, milliseconds: 30_000 },
    ]);
  });

  it('extends running stages to now and leaves pending ones empty', () => {
    const running = log(
      [stage('a', 'succeeded', 0, 10), stage('b', 'running', 10, null), stage('c', 'pending', null, null)],
      null,
    );
    expect(layOutStages(running, BEGIN + 20_000)).toMatchObject([
      { left: 0, width: 50 },
      { left: 50, width: 50, milliseconds: 10_000, state: 'running' },
      { left: 0, width: 0, milliseconds: null, state: 'pending' },
    ]);
  });

  it('omits skipped stages and shows unknown outcomes as pending', () => {
    const stages = layOutStages(
      log([stage('a', 'skipped', null, null), stage('b', 'odd', null, null)], 5),
      BEGIN,
    );
    expect(stages).toMatchObject([{ name: 'b', state: 'pending' }]);
  });

  it('keeps stages within the bar if clocks differ', () => {
    const [only] = layOutStages(log([stage('a', 'running', 30, null)], null), BEGIN + 10_000);
    expect(only?.left).toBe(100);
    expect(only?.width).toBe(0);
  });
});
