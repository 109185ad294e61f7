import { Get } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { Configuration } from '../../core/config/index.js';
import { GuardedController } from '../../core/security/index.js';
import { LogStoreAccess } from './log-store-access.js';
import { LogRetentionDto, LogStoreDto } from './log-store.dto.js';

@GuardedController('log store', 'api/log-store')
export class LogStoreController {
  constructor(
    private readonly access: LogStoreAccess,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'State and limits of the log store',
    description: 'While Slipway cannot open the store, the state is unavailable and the reason says why.',
  })
  @Returns(LogStoreDto)
  async read(): Promise<LogStoreDto> {
    await this.access.get().catch(() => undefined);
    const { kind, capabilities, notice } = this.access;
    const { state, reason, pendingBytes, discardedLines, bytesOnDisk } = this.access.status();
    return {
      kind,
      state,
      reason,
      notice,
      pending_bytes: pendingBytes,
      discarded_lines: discardedLines,
      bytes_on_disk: bytesOnDisk,
      capabilities,
      retention: capabilities.retention === 'store' ? this.limits() : null,
    };
  }

  private limits(): LogRetentionDto {
    const { logHistorySize, logSourceSize, logHistoryDays } = this.configuration.values;
    return {
      total_bytes: logHistorySize,
      bytes_per_source: logSourceSize,
      max_age_days: logHistoryDays,
    };
  }
}
