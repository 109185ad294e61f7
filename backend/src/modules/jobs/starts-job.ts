import {
  applyDecorators,
  HttpCode,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Returns } from '../../core/api/index.js';
import { JobReferenceDto } from './job.dto.js';
import type { Job } from './job.js';
import { accepted } from './job.presenter.js';

class JobReference implements NestInterceptor<Job, JobReferenceDto> {
  intercept(context: ExecutionContext, next: CallHandler<Job>): Observable<JobReferenceDto> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((job) => accepted(job, response)));
  }
}

/** Responds 202 with a reference to the job that the route returns. */
export function StartsJob(): MethodDecorator {
  return applyDecorators(
    HttpCode(202),
    Returns(JobReferenceDto, { status: 202 }),
    UseInterceptors(JobReference),
  );
}
