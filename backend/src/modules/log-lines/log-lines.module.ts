import { Module } from '@nestjs/common';
import { ResponseLimits } from './response-limits.js';

@Module({ providers: [ResponseLimits], exports: [ResponseLimits] })
export class LogLinesModule {}
