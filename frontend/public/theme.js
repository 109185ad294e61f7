// Kept in step with src/shared/browser/theme.ts: the same key, the same values.
try {
  const theme = localStorage.getItem('slipway.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be closed to us; the system's theme it is then.
}
