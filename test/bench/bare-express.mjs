// Started by reads.mjs, to which it prints its port.
import express from 'express';

const app = express();
app.get('/', (_request, response) => response.json({ status: 'ok' }));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
