import { Field, NestedField, NullableField } from '../../../core/api/index.js';

export class DiagnosticCheckDto {
  @Field({ example: 'inotify' })
  name!: string;

  @Field({ example: 'inotify limits' })
  title!: string;

  @Field({ enum: ['ok', 'warning', 'problem'], enumName: 'DiagnosticLevel' })
  level!: 'ok' | 'warning' | 'problem';

  @Field({ description: 'Result of the check', example: '524288 watches, 512 instances' })
  message!: string;

  @NullableField(String, {
    description: 'Command or page that fixes the problem',
    example: 'sudo systemctl start docker',
  })
  fix!: string | null;
}

export class RuntimeAttemptDto {
  @Field({ description: 'Where the address comes from', example: 'docker context "colima"' })
  source!: string;

  @NullableField(String, { example: '/var/run/docker.sock' })
  address!: string | null;

  @Field()
  answered!: boolean;

  @NullableField(String, { example: 'docker does not respond' })
  reason!: string | null;

  @NullableField(String, { example: 'sudo systemctl start docker' })
  fix!: string | null;
}

export class RuntimeDiagnosisDto {
  @Field({ example: 'docker' })
  id!: string;

  @Field()
  available!: boolean;

  @NullableField(String, { example: '28.5.1' })
  version!: string | null;

  @NullableField(String, { example: 'docker does not respond' })
  reason!: string | null;

  @NullableField(String, {
    description: 'Command that fixes the problem',
    example: 'sudo systemctl start docker',
  })
  fix!: string | null;

  @Field({ description: 'Since when it is available or unavailable', example: '2026-11-21T09:40:48.102Z' })
  since!: string;

  @NestedField(() => RuntimeAttemptDto, { isArray: true, description: 'Addresses that Slipway tried' })
  attempts!: RuntimeAttemptDto[];
}

export class EventLoopDelayDto {
  @Field({ description: '99th percentile of the last minute, in ms', example: 1.2 })
  p99_ms!: number;

  @Field({ description: 'Longest delay since the start, in ms', example: 41.5 })
  worst_ms!: number;

  @NullableField(String, { description: 'When it was measured', example: '2026-11-21T09:40:48.102Z' })
  worst_at!: string | null;
}

export class DiagnosticsDto {
  @Field({ description: 'Whether a cluster can be created' })
  ready!: boolean;

  @NestedField(() => DiagnosticCheckDto, { isArray: true })
  checks!: DiagnosticCheckDto[];

  @NestedField(() => RuntimeDiagnosisDto, { isArray: true })
  runtimes!: RuntimeDiagnosisDto[];

  @Field({
    description:
      'Values in responses of clusters, engines and other programs that were dropped since the start, because of their type or length',
    example: 0,
  })
  dropped_values!: number;

  @NestedField(() => EventLoopDelayDto, { description: 'How long work of Slipway delayed responses' })
  event_loop_delay!: EventLoopDelayDto;
}
