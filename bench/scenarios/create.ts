/** Measures the latency of creating a status, until the API responds. */
import { startNats } from '@murmuration/testkit'
import { startLimit } from '../lib/limit-process.js'
import { load } from '../lib/load.js'
import { alternate, figureOf } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'
import { addStatuses, USUAL_STATUSES } from '../lib/statuses.js'

/** Number of statuses that are created before measuring, so that the code of all processes is compiled. */
const WARM_UP = 300

export const create: Scenario = {
  name: 'create',
  about: 'create a status, until the API responds',
  limitIs: 'one NATS round trip and one fsynced PostgreSQL commit',
  target: { kind: 'latency', value: 5 },
  async run({ backing, start }) {
    const { product, users, path, analyze } = await start()
    const author = await users.create('creator')
    const nats = await startNats()
    const bare = await startLimit('commit.ts', nats.url, product.databaseUrl)
    const plan = { concurrency: 1, seconds: 2 }
    await addStatuses(product.databaseUrl, [author.id], USUAL_STATUSES)
    for (let i = 0; i < WARM_UP; i++) await users.as(author, 'POST', '/api/v1/statuses', { status: `Warm-up ${i}` })
    await product.waitForIdle()
    await analyze()
    let n = 0
    try {
      return await alternate(
        5,
        () =>
          figureOf(path(), () =>
            load(plan, () => users.as(author, 'POST', '/api/v1/statuses', { status: `Status number ${n++}` })),
          ),
        () => figureOf({ bare: bare.pid, nats: nats.pid, postgres: backing.pg }, () => bare.run(plan)),
      )
    } finally {
      await bare.stop()
      await nats.stop()
    }
  },
}
