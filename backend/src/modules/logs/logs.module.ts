import { Module } from '@nestjs/common';
import { LogsGateway } from './logs.gateway.js';

@Module({ providers: [LogsGateway] })
export class LogsModule {}
