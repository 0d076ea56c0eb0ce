/** Signed-in home timeline, 20 statuses, warm, 32 connections. */
import { freePort, startNats } from '@murmuration/testkit'
import { Pool } from 'undici'
import { startLimit } from '../lib/limit-process.js'
import { load } from '../lib/load.js'
import { alternate, figureOf } from '../lib/measure.js'
import type { Person } from '../lib/people.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

const CONNECTIONS = 32
const AUTHORS = ['homea', 'homeb', 'homec', 'homed', 'homee']

export const home: Scenario = {
  name: 'home',
  about: 'signed-in home timeline, 20 statuses, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.35 },
  async run({ start }) {
    const { product, people, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: ROOMS } })
    const reader = await people.make('homereader')
    const authors = await Promise.all(AUTHORS.map((name) => people.make(name)))
    const readHome = () => people.as(reader, 'GET', '/api/v1/timelines/home')
    await Promise.all(authors.map((author) => people.as(reader, 'POST', `/api/v1/accounts/${author.id}/follow`)))
    await readHome()
    for (let i = 0; i < 40; i++)
      await people.as(authors[i % authors.length] as Person, 'POST', '/api/v1/statuses', {
        status: `Hello number ${i}, with a #tag and a link https://example.org/${i} and some more words to make it a usual length.`,
      })
    await product.settle()
    const page = await readHome()
    const { length } = JSON.parse(page.text)
    if (length !== 20) throw new Error(`the home feed holds ${length} statuses, 20 expected`)

    await analyze()
    const nats = await startNats()
    const port = await freePort()
    const responder = await startLimit(
      'express-nats.ts',
      'responder',
      nats.url,
      '0',
      String(Buffer.byteLength(page.text)),
    )
    const gateway = await startLimit('express-nats.ts', 'gateway', nats.url, String(port))
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
    const plan = { concurrency: CONNECTIONS, seconds: 3 }
    const readBare = async () => (await pool.request({ method: 'GET', path: '/api/v1/timelines/home' })).body.text()
    try {
      return await alternate(
        5,
        () => figureOf(path(), () => load(plan, readHome)),
        () => figureOf({ express: gateway.pid, responder: responder.pid, nats: nats.pid }, () => load(plan, readBare)),
      )
    } finally {
      await pool.close()
      await gateway.stop()
      await responder.stop()
      await nats.stop()
    }
  },
}
