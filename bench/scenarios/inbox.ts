/**
 * Measures signed Creates of a known remote account: until they are accepted, or until they are processed and stored as
 * statuses.
 */
import { signHeaders } from '@murmuration/testkit/outside/signing'
import pg from 'pg'
import { Pool } from 'undici'
import { addFollowedRemoteAuthor, type RemoteAuthor } from '../lib/accounts.js'
import { startLimit } from '../lib/limit-process.js'
import { load } from '../lib/load.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import type { Bench, Outcome, Scenario } from '../lib/scenario.js'
import { addStatuses, USUAL_STATUSES } from '../lib/statuses.js'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const ACTIVITIES = 600
const CONNECTIONS = 16

const createOf = ({ uri }: RemoteAuthor, n: number): string => {
  const id = `https://remote.example/notes/${n}`
  const shared = { published: new Date().toISOString(), to: [PUBLIC], cc: [`${uri}/followers`] }
  const content = `<p>Note number ${n} by a remote author, with a <a href="https://example.org/${n}">link</a> and some more words to make it a usual length, like most received notes.</p>`
  return JSON.stringify({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${id}/activity`,
    type: 'Create',
    actor: uri,
    ...shared,
    object: { id, type: 'Note', attributedTo: uri, url: id, content, contentMap: { en: content }, ...shared },
  })
}

const measure =
  (until: 'accepted' | 'processed') =>
  async ({ backing, start }: Bench): Promise<Outcome> => {
    const { product, users, path, analyze } = await start()
    const reader = await users.create('inboxreader')
    await users.as(reader, 'GET', '/api/v1/timelines/home')
    const author = await addFollowedRemoteAuthor(product.databaseUrl, reader)
    await addStatuses(product.databaseUrl, [reader.id], USUAL_STATUSES)
    const sample = createOf(author, 0)
    const bare = await startLimit('verify-insert.ts', product.databaseUrl, String(sample.length), String(CONNECTIONS))
    const pool = new Pool(product.origin, { connections: CONNECTIONS, pipelining: 1 })
    const look = new pg.Client({ connectionString: product.databaseUrl })
    await look.connect()
    let n = 0
    /** Signs all requests before the measurement, because signing is not work of the receiving server. */
    const prepare = () =>
      Array.from({ length: ACTIVITIES }, () => {
        const body = createOf(author, ++n)
        const headers = { 'content-type': 'application/activity+json' }
        const { keyId, privateKey } = author
        const signed = { scheme: 'cavage', method: 'POST', headers, body, keyId, privateKey } as const
        return { body, headers: signHeaders({ ...signed, url: `${product.origin}/inbox` }) }
      })
    const isOver = async (): Promise<boolean> => {
      const { rows } = await look.query('select 1 from federation.inbox_activities where outcome is null limit 1')
      return rows.length === 0
    }
    const awaitProcessed = async (): Promise<void> => {
      for (let tries = 0; !(await isOver()); tries++) {
        if (tries > 1_200) throw new Error('not every activity was processed')
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    }
    const ours = async () => {
      const posts = prepare()
      const post = async (i: number) => {
        const { headers, body } = posts[i] as (typeof posts)[number]
        const response = await pool.request({ method: 'POST', path: '/inbox', headers, body })
        const text = await response.body.text()
        if (response.statusCode !== 202) throw new Error(`POST /inbox: ${response.statusCode} ${text}`)
      }
      const figure = await figureOf(path(), () =>
        timed(ACTIVITIES, async () => {
          await load({ concurrency: CONNECTIONS, count: ACTIVITIES }, post)
          if (until === 'processed') await awaitProcessed()
        }),
      )
      // Waits also if only the acceptance is measured, so that the next round starts with an empty queue.
      await awaitProcessed()
      const { rows } = await look.query<{ n: number }>('select count(*)::int as n from statuses.statuses')
      if (rows[0]?.n !== n + USUAL_STATUSES)
        throw new Error(`${rows[0]?.n} statuses are stored, ${n + USUAL_STATUSES} expected`)
      return figure
    }
    try {
      await ours()
      await analyze()
      return await alternate(5, ours, () =>
        figureOf({ bare: bare.pid, postgres: backing.pg }, () =>
          bare.run({ concurrency: CONNECTIONS, count: ACTIVITIES * 3 }),
        ),
      )
    } finally {
      await look.end()
      await pool.close()
      await bare.stop()
    }
  }

const limitIs = 'verify the signature and one fsynced insert, in one small process'

export const inbox: Scenario = {
  name: 'inbox',
  about: 'signed Create to the shared inbox: accepted, processed, stored',
  limitIs,
  target: { kind: 'ratio', value: 0.2 },
  run: measure('processed'),
}

export const inboxAccept: Scenario = {
  name: 'inbox-accept',
  about: 'signed Create to the shared inbox: accepted and stored; workers process it after the burst',
  limitIs,
  target: { kind: 'ratio', value: 0.25 },
  run: measure('accepted'),
}
