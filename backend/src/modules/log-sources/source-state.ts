export const SOURCE_STATES = ['live', 'waiting', 'ended', 'gone', 'failed', 'left_out'] as const;
/**
 * `live`: followed now. `waiting`: present, but not started, or its engine does not respond. `ended`: present, writes no
 * more. `gone`: removed; its lines are stored. `failed`: cannot be read. `left_out`: the user excluded it.
 */
export type SourceState = (typeof SOURCE_STATES)[number];
