/**
 * Measures the search in a million statuses for a word that about 1,500 of them contain. A signed-in user reads 20
 * results on 32 connections.
 */
import { addUnfollowed } from '../lib/accounts.js'
import { compareWithBarePage } from '../lib/bare-page.js'
import { type Scenario, SERVICES } from '../lib/scenario.js'
import { addStatuses, wordOf } from '../lib/statuses.js'

const STATUSES = 1_000_000
const AUTHORS = 5_000

export const search: Scenario = {
  name: 'search',
  about: 'search among a million statuses (times --scale), 20 found, signed in, 32 connections',
  limitIs:
    'bare Express → NATS → responder that queries PostgreSQL for the newest 20 with the word and passes the same bytes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start, backing, scale }) {
    const { product, users, path } = await start({ table: { edge: ['gateway', 'streaming'], rest: SERVICES } })
    const reader = await users.create('searcher')
    const authors = await addUnfollowed(product.databaseUrl, AUTHORS, 'writer')
    await addStatuses(product.databaseUrl, authors, Math.round(STATUSES * scale))
    let searches = 0
    const read = () => users.as(reader, 'GET', `/api/v2/search?type=statuses&limit=20&q=${wordOf(searches++)}`)
    const page = await read()
    const { length } = JSON.parse(page.text).statuses
    if (length < 20 * Math.min(scale, 1)) throw new Error(`${length} statuses were found`)
    const query = { databaseUrl: product.databaseUrl, process: backing.pg }
    return compareWithBarePage({ read, path, bytes: Buffer.byteLength(page.text), query })
  },
}
