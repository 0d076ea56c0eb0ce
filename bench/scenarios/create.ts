/** Creating a status, until it is answered. */
import { startNats } from '@murmuration/testkit'
import { addLibrary, USUAL } from '../lib/library.js'
import { startLimit } from '../lib/limit-process.js'
import { load } from '../lib/load.js'
import { alternate, figureOf } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

/** Statuses until the code of all processes is compiled. */
const WARM_UP = 300

export const create: Scenario = {
  name: 'create',
  about: 'create a status, answered',
  limitIs: 'one NATS round trip and one fsynced PostgreSQL commit',
  target: { kind: 'latency', value: 5 },
  async run({ backing, start }) {
    const { product, people, path, analyze } = await start()
    const author = await people.make('creator')
    const nats = await startNats()
    const bare = await startLimit('commit.ts', nats.url, product.databaseUrl)
    const plan = { concurrency: 1, seconds: 2 }
    await addLibrary(product.databaseUrl, [author.id], USUAL)
    for (let i = 0; i < WARM_UP; i++)
      await people.as(author, 'POST', '/api/v1/statuses', { status: `Before all, ${i}` })
    await product.settle()
    await analyze()
    let n = 0
    try {
      return await alternate(
        5,
        () =>
          figureOf(path(), () =>
            load(plan, () => people.as(author, 'POST', '/api/v1/statuses', { status: `Status number ${n++}` })),
          ),
        () => figureOf({ bare: bare.pid, nats: nats.pid, postgres: backing.pg }, () => bare.run(plan)),
      )
    } finally {
      await bare.stop()
      await nats.stop()
    }
  },
}
