import type { AuditDelivery } from '../../journal/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** The delivery of journal entries, if there is a target. */
export function checkAudit(state: ReturnType<AuditDelivery['state']>): DiagnosticCheckDto[] {
  if (!state) return [];
  const level = state.ok && state.lost === 0 ? 'ok' : 'warning';
  const fix = state.ok ? null : 'Check the receiver and APP_AUDIT_TARGET. Slipway repeats the delivery.';
  return [{ name: 'audit', title: 'Audit target', level, message: state.text, fix }];
}
