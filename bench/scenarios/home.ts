/** Signed-in home timeline, 20 statuses, warm, 32 connections. */
import { freePort, startNats } from '@murmuration/testkit'
import { Pool } from 'undici'
import { startLimit } from '../lib/limit-process.js'
import { alternate, repeat } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const CONNECTIONS = 32

export const home: Scenario = {
  name: 'home',
  about: 'signed-in home timeline, 20 statuses, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.35 },
  async run({ product, people, backing, pid, seconds }) {
    const reader = await people.make('homereader')
    const authors = await Promise.all(['homea', 'homeb', 'homec', 'homed', 'homee'].map((name) => people.make(name)))
    await Promise.all(authors.map((author) => people.as(reader, 'POST', `/api/v1/accounts/${author.id}/follow`)))
    await people.as(reader, 'GET', '/api/v1/timelines/home')
    for (let i = 0; i < 40; i++) {
      const author = authors[i % authors.length]
      if (author)
        await people.as(author, 'POST', '/api/v1/statuses', {
          status: `Hello number ${i}, with a #tag and a link https://example.org/${i} and some more words to make it a usual length.`,
        })
    }
    await product.settle()
    const page = await people.as(reader, 'GET', '/api/v1/timelines/home')
    if (JSON.parse(page.text).length !== 20)
      throw new Error(`the home feed holds ${JSON.parse(page.text).length} statuses, 20 expected`)

    const nats = await startNats()
    const port = await freePort()
    const responder = await startLimit('express-nats.ts', 'responder', nats.url, '0', String(page.text.length))
    const gateway = await startLimit('express-nats.ts', 'gateway', nats.url, String(port))
    const limitPool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
    try {
      return await alternate(
        3,
        () =>
          repeat({
            concurrency: CONNECTIONS,
            seconds,
            pids: [pid('edge'), pid('core'), product.nats.pid, backing.pg, backing.redis],
            one: () => people.as(reader, 'GET', '/api/v1/timelines/home'),
          }),
        () =>
          repeat({
            concurrency: CONNECTIONS,
            seconds,
            pids: [gateway.pid, responder.pid, nats.pid],
            one: async () => (await limitPool.request({ method: 'GET', path: '/api/v1/timelines/home' })).body.text(),
          }),
      )
    } finally {
      await limitPool.close()
      gateway.kill()
      responder.kill()
      await nats.stop()
    }
  },
}
