export { DashboardAuthModule } from './dashboard-auth.module.js';
