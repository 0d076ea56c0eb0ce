/** Compares a page of the API with its limit: the same number of bytes through Express, NATS and a responder with a prepared body. */
import { freePort, startNats } from '@murmuration/testkit'
import { Pool } from 'undici'
import type { Pids } from './cpu.js'
import { startLimit } from './limit-process.js'
import { load } from './load.js'
import { alternate, figureOf } from './measure.js'
import type { Outcome } from './scenario.js'

const CONNECTIONS = 32

export interface PageRead {
  /** Reads the page once. */
  read(): Promise<{ text: string }>
  /** Ids of all processes that take part in serving the page, by name. */
  path(): Pids
  /** Length in bytes of the page that the program of the limit sends. */
  bytes: number
  /** If given, the responder runs a search query in this database for each page. `process` is the pid of PostgreSQL. */
  query?: { databaseUrl: string; process: number }
}

/** Measures the page and its limit in turns, with the same number of connections. */
export const compareWithBarePage = async ({ read, path, bytes, query }: PageRead): Promise<Outcome> => {
  const nats = await startNats()
  const port = await freePort()
  const responder = query
    ? await startLimit('search-words.ts', nats.url, String(bytes), query.databaseUrl)
    : await startLimit('express-nats.ts', 'responder', nats.url, '0', String(bytes))
  const gateway = await startLimit('express-nats.ts', 'gateway', nats.url, String(port))
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  const plan = { concurrency: CONNECTIONS, seconds: 3 }
  const bare = {
    express: gateway.pid,
    responder: responder.pid,
    nats: nats.pid,
    ...(query && { postgres: query.process }),
  }
  const readBare = async () => (await pool.request({ method: 'GET', path: '/api/v1/page' })).body.text()
  try {
    return await alternate(
      5,
      () => figureOf(path(), () => load(plan, read)),
      () => figureOf(bare, () => load(plan, readBare)),
    )
  } finally {
    await pool.close()
    await gateway.stop()
    await responder.stop()
    await nats.stop()
  }
}
