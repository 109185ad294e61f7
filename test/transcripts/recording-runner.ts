import { CommandError } from '../../backend/src/drivers/process/command-error.js';
import { ProcessRunner, type ProcessRequest, type ProcessResult } from '../../backend/src/drivers/process/process-runner.js';
import type { KindRun } from './transcript.js';

/** Runs programs for real and writes down what they were asked and what they said. */
export class RecordingRunner extends ProcessRunner {
  readonly runs: KindRun[] = [];
  situation = '';

  constructor(private readonly processes: ProcessRunner) {
    super();
  }

  override locate: ProcessRunner['locate'] = (program) => this.processes.locate(program);

  override async run(request: ProcessRequest): Promise<ProcessResult> {
    const run: KindRun = {
      situation: this.situation,
      args: [...request.args],
      environment: { ...request.environment },
      exitCode: 0,
      output: [],
    };
    this.runs.push(run);
    try {
      return await this.processes.run({
        ...request,
        onLine: (line) => {
          run.output.push(line);
          request.onLine?.(line);
        },
      });
    } catch (error) {
      run.exitCode = error instanceof CommandError ? (error.exitCode ?? -1) : -1;
      throw error;
    }
  }

  override endLeftovers(): Promise<number> {
    return Promise.reject(new Error('a recording ends nothing'));
  }
}
