export { JobHandler } from './job-handler.js';
export type { JobConclusion, JobContext, JobStage, StepPlan, UndoContext } from './job-handler.js';
export { JobDto, type JobKind, JobLogLineDto, JobReferenceDto } from './job.dto.js';
export { ENGINE_ITSELF, isActive } from './job.js';
export type { Job, JobLogLine } from './job.js';
export { accepted, presentJob } from './job.presenter.js';
export { JobsModule } from './jobs.module.js';
export { JobsService } from './jobs.service.js';
export type { CreationPeriod, JobObject, JobObjects, ObjectPurpose } from './job-objects.js';
