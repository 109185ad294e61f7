export { ProblemDto } from './problem.dto.js';
export { ProblemsModule } from './problems.module.js';
export { ProblemsService } from './problems.service.js';
