/** Metrics that only the holder of a lease reports: a process that loses the lease withdraws its last values. */
import { job } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, service } from '../src/index.js'

const echo = job('media.echo', { data: z.object({ word: z.string() }), about: 'Echoes.' })
const { work } = handlersFor<BaseContext>()
const app: App = {
  manifest: service('media', {
    jobs: [work(echo, async () => undefined)],
    roles: { worker: { ticks: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster?.stop())

const reported = async (): Promise<string[]> => {
  const text = await (await fetch(`http://127.0.0.1:${cluster.host.healthPort}/metrics`)).text()
  return text.split('\n').filter((line) => /^murmuration_outbox_\w+\{service="media"\}/.test(line))
}

test('the outbox metrics of a process end when another process has the lease of their tick', async () => {
  await expect.poll(reported, { interval: 500 }).toHaveLength(2)
  await cluster
    .db('media')
    .run(
      sql`update leases set holder = gen_random_uuid()::text, until = clock_timestamp() + interval '100 seconds' where name = ${'media.measure'}`,
    )
  await expect.poll(reported, { interval: 500 }).toEqual([])
})
