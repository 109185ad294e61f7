import { Field, NestedField } from '../../core/api/index.js';

export class DiagnosticCheckDto {
  @Field({ example: 'inotify' })
  name!: string;

  @Field({ example: 'inotify limits' })
  title!: string;

  @Field({ enum: ['ok', 'warning', 'problem'], enumName: 'DiagnosticLevel' })
  level!: 'ok' | 'warning' | 'problem';

  @Field({ description: 'What was found, in plain words', example: '524288 watches, 512 instances' })
  message!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'The command or the page that fixes it',
    example: 'sudo systemctl start docker',
  })
  fix!: string | null;
}

export class RuntimeAttemptDto {
  @Field({ description: 'Why it was looked for there', example: 'docker context "colima"' })
  source!: string;

  @Field({ type: String, nullable: true, example: '/var/run/docker.sock' })
  address!: string | null;

  @Field()
  answered!: boolean;

  @Field({ type: String, nullable: true, example: 'docker does not answer' })
  reason!: string | null;

  @Field({ type: String, nullable: true, example: 'sudo systemctl start docker' })
  fix!: string | null;
}

export class RuntimeDiagnosisDto {
  @Field({ example: 'docker' })
  id!: string;

  @Field()
  available!: boolean;

  @Field({ type: String, nullable: true, example: '28.5.1' })
  version!: string | null;

  @Field({ type: String, nullable: true, example: 'docker does not answer' })
  reason!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'The command that fixes it',
    example: 'sudo systemctl start docker',
  })
  fix!: string | null;

  @Field({ description: 'Since when it answers, or does not', example: '2026-11-21T09:40:48.102Z' })
  since!: string;

  @NestedField(() => RuntimeAttemptDto, { isArray: true, description: 'Where it was looked for' })
  attempts!: RuntimeAttemptDto[];
}

export class DiagnosticsDto {
  @Field({ description: 'Whether a cluster could be made now' })
  ready!: boolean;

  @NestedField(() => DiagnosticCheckDto, { isArray: true })
  checks!: DiagnosticCheckDto[];

  @NestedField(() => RuntimeDiagnosisDto, { isArray: true })
  runtimes!: RuntimeDiagnosisDto[];
}
