import { Module } from '@nestjs/common';
import { ResponseLimits } from './response-limits.js';

/** What a log line is: how bytes become lines, and how the API presents them. */
@Module({ providers: [ResponseLimits], exports: [ResponseLimits] })
export class LogLinesModule {}
