/** Whether this is `npm run test:real -- --all`. Without it, each engine runs one life of a cluster. */
export const isAll = process.env['APP_TEST_ALL'] === '1';
