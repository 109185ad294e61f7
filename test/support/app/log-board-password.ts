/** Of the one user of a log board under test. */
export const LOG_BOARD_PASSWORD = 'correct horse battery staple';
