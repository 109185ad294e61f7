// The program on PATH for kind, docker or podman. It reports its call to the test and executes the responses
// line by line. Started by a wrapper that sets `globalThis.scripted`.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const { control, program } = globalThis.scripted;
const socket = connect(control);

const orders = {
  stdout: (text) => process.stdout.write(`${text}\n`),
  stderr: (text) => process.stderr.write(`${text}\n`),
  // Ignores SIGTERM, as does its child process.
  stubborn: () => {
    process.on('SIGTERM', () => undefined);
    const grandchild = spawn(
      process.execPath,
      ['-e', 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);'],
      { stdio: 'inherit' },
    );
    report({ grandchild: grandchild.pid });
  },
  exit: (status) => {
    process.exitCode = status;
    socket.destroy();
  },
};

function report(message) {
  socket.write(`${JSON.stringify(message)}\n`);
}

function giveUp(reason) {
  process.stderr.write(`scripted ${program}: ${reason}\n`);
  process.exit(70);
}

socket.on('error', () => giveUp('the test that plays it has ended'));
socket.on('connect', () =>
  report({ program, pid: process.pid, args: process.argv.slice(2), environment: process.env }),
);
createInterface({ input: socket }).on('line', (line) => {
  for (const [order, value] of Object.entries(JSON.parse(line))) orders[order](value);
});
socket.on('end', () => {
  if (process.exitCode === undefined) giveUp('the test that plays it ended it');
});
