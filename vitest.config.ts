/**
 * Seven kinds of tests. `unit` is beside the source without processes, `service` is one service on real stores, and `slow`
 * the same but waiting for real time. `e2e` is the whole product, and `failure` the same with killed processes and stores
 * that are away. `containers` tests the built images, and `browser` uses Chromium as a person does.
 */
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './bin/lib/longest-first.js'

/** Workspaces resolve to their sources, so that tests need no build. */
const conditions = ['source', 'node', 'development|production']

/** Folders of service tests that `bin/test.mjs` runs in a later group. */
const without = (process.env.TEST_WITHOUT ?? '').split(',').filter(Boolean)

const containers = ['e2e/shipping/{container,compose}.test.ts']
const browser = ['e2e/browser/*.test.ts']
const failure = ['e2e/failure/*.test.ts']
const endToEnd = { pool: 'forks' as const, isolate: false, setupFiles: ['packages/testkit/src/left-clusters.ts'] }

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source', 'node'] } },
  test: {
    // Workers keep the modules of all services and many clusters: a larger young generation halves the garbage collections, and a
    // larger old generation avoids those while modules are loaded.
    execArgv: [
      '--max-semi-space-size=64',
      '--initial-old-space-size=512',
      '--conditions=source',
      '--import',
      new URL('./bin/lib/typescript.mjs', import.meta.url).href,
    ],
    // Modules are loaded as the product loads them, without a second module system and its transforms.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    // These limits end hanging tests only. They are long, because a busy machine may take ten times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'bin/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'bin/test/**'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          setupFiles: ['packages/testkit/src/rsa-keys.ts', 'packages/testkit/src/left-clusters.ts'],
          // Modules stay loaded between files: loading them takes longer than most tests.
          isolate: false,
          include: ['packages/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts', 'bin/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.slow.test.ts', ...without],
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          setupFiles: ['packages/testkit/src/rsa-keys.ts', 'packages/testkit/src/left-clusters.ts'],
          include: ['{packages,services}/*/test/**/*.slow.test.ts', 'bin/test/**/*.slow.test.ts'],
          pool: 'forks',
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [...containers, ...browser, ...failure, '**/node_modules/**'],
          ...endToEnd,
        },
      },
      { extends: true, test: { name: 'failure', include: failure, ...endToEnd } },
      // Chromium ends requests in progress when a network interface appears or goes, as those of containers do. Therefore its
      // tests come after those of the containers, and these come after the rest, because they wait for the images.
      {
        extends: true,
        test: { name: 'containers', include: containers, sequence: { groupOrder: 1 }, ...endToEnd },
      },
      {
        extends: true,
        test: { name: 'browser', include: browser, sequence: { groupOrder: 2 }, ...endToEnd },
      },
    ],
  },
})
