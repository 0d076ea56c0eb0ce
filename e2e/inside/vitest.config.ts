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
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
