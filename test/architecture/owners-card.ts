/** A module class, the driver that it wraps, and the token by which it gets it, if that selects among drivers. */
interface WrappingModule {
  name: string;
  folder: string;
  wraps: readonly { driver: string; token?: string }[];
}

/** The owner's card: packages of the workspaces, files and folders at the top level, and modules. */
export const CARD = {
  packages: [
    '@nestjs/core',
    '@nestjs/common',
    '@nestjs/platform-express',
    '@nestjs/swagger',
    '@nestjs/jwt',
    '@nestjs/passport',
    'passport-jwt',
    '@nestjs/websockets',
    '@nestjs/platform-ws',
    'class-validator',
    '@angular/core',
    '@angular/router',
    'jest',
  ],
  topLevel: ['package.json', 'nest-cli.json', 'angular.json', 'backend', 'frontend', 'test', '.env.example'],
  modules: [
    {
      name: 'ClustersModule',
      folder: 'clusters',
      wraps: [{ driver: 'RuntimeRegistry' }, { driver: 'ClusterProvisioner', token: 'ProvisionerSelector' }],
    },
    { name: 'JobsModule', folder: 'jobs', wraps: [{ driver: 'ProcessRunner' }] },
    { name: 'JournalModule', folder: 'journal', wraps: [{ driver: 'RuntimeRegistry' }] },
    {
      name: 'AddonsModule',
      folder: 'addons',
      wraps: [{ driver: 'PackageManager', token: 'PackageManagerSelector' }],
    },
    { name: 'StatsModule', folder: 'stats', wraps: [{ driver: 'RuntimeRegistry' }] },
  ] satisfies WrappingModule[],
};
