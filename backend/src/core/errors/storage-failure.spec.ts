import { constants } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { fileFailure, pathFailure, storageFailure } from './storage-failure.js';

function failure(code: keyof typeof constants.errno, syscall: string, more: object = {}): Error {
  return Object.assign(new Error(`${code}: x, ${syscall}`), {
    code,
    errno: -constants.errno[code],
    syscall,
    ...more,
  });
}

describe('storageFailure', () => {
  it.each([
    ['EACCES', 'open'],
    ['EAGAIN', 'flock'],
    ['EBUSY', 'rename'],
    ['EDQUOT', 'write'],
    ['EFBIG', 'write'],
    ['EINVAL', 'fsync'],
    ['EIO', 'read'],
    ['EISDIR', 'open'],
    ['ELOOP', 'open'],
    ['EMFILE', 'open'],
    ['EMLINK', 'link'],
    ['ENAMETOOLONG', 'open'],
    ['ENFILE', 'open'],
    ['ENODEV', 'open'],
    ['ENOENT', 'rename'],
    ['ENOLCK', 'flock'],
    ['ENOMEM', 'scandir'],
    ['ENOSPC', 'fsync'],
    ['ENOSYS', 'copyfile'],
    ['ENOTDIR', 'mkdir'],
    ['ENOTEMPTY', 'rename'],
    ['ENOTSUP', 'fchmod'],
    ['ENXIO', 'open'],
    ['EOVERFLOW', 'stat'],
    ['EPERM', 'fchown'],
    ['EROFS', 'unlink'],
    ['ESTALE', 'fstat'],
    ['ETIMEDOUT', 'fsync'],
    ['ETXTBSY', 'open'],
    ['EXDEV', 'rename'],
  ] as const)('has a sentence for %s, with or without a path', (code, syscall) => {
    for (const more of [{}, { path: '/data/slipway.db' }]) {
      expect(storageFailure(failure(code, syscall, more))).toMatch(
        /^Could not \S.+: [a-z].+\. Fix this, and try again\.$/,
      );
    }
  });

  it.each([
    failure('ENOTCONN', 'read'),
    failure('EACCES', 'listen', { address: '127.0.0.1', port: 80 }),
    failure('EPERM', 'connect', { address: '/run/docker.sock' }),
    failure('EACCES', 'spawn kind', { path: '/usr/bin/kind', spawnargs: [] }),
    failure('ETIMEDOUT', 'read'),
    failure('EPIPE', 'write'),
    new TypeError('x is not a function'),
    undefined,
  ])('leaves what is not of a file: %s', (error) => {
    expect(storageFailure(error)).toBeUndefined();
  });

  // A dead network mount, a wrong checksum, and errors without a sentence or a name in Node.
  it.each([
    ['ENOTCONN', 'its network disk was disconnected'],
    ['EHOSTUNREACH', 'its file system reports EHOSTUNREACH'],
    ['EBADMSG', 'its file system reports EBADMSG'],
    ['EINTR', 'its file system reports EINTR'],
    ['Unknown system error -117', 'its file system reports Unknown system error -117'],
  ])('has a sentence for %s of a path', (code, reason) => {
    const error = Object.assign(new Error(code), { code, errno: -117, syscall: 'open', path: '/data/x' });
    expect(fileFailure(error)).toBe(reason);
    expect(pathFailure(error)).toBe(reason);
  });

  it.each([
    [7, 'the system has no free memory'],
    [26, 'its database is damaged'],
  ])('has a sentence for the result %s of SQLite', (errcode, reason) => {
    expect(storageFailure(Object.assign(new Error('x'), { errcode }))).toContain(reason);
  });

  it('does not blame the data folder for limits of the system', () => {
    expect(storageFailure(failure('EMFILE', 'connect'))).toBe(
      'Could not complete the operation: this process has too many open files. Fix this, and try again.',
    );
  });
});

describe('fileFailure and pathFailure', () => {
  it('name the cause', () => {
    expect(fileFailure(failure('EBUSY', 'rename', { path: '/x' }))).toContain('mount point');
    expect(pathFailure(failure('ENAMETOOLONG', 'open', { path: '/x' }))).toContain('too long');
    expect(pathFailure(failure('EISDIR', 'read'))).toBe('it is a folder');
  });
});
