/** Tests that run inside a network namespace; see e2e/federation/two-clusters.test.ts. */
import { defineConfig } from 'vitest/config'

const conditions = ['source', 'node', 'development|production']

export default defineConfig({
  root: new URL('.', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['source', 'node'] } },
  test: {
    execArgv: ['--conditions=source'],
    include: ['**/*.inside.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    // Long, because one test has many exchanges between clusters on the same machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
