/** Search among a million statuses for a word that some 1,500 of them have, 20 found, signed in, 32 connections. */
import { besideBarePage } from '../lib/bare-page.js'
import { addUnheard } from '../lib/crowd.js'
import { addLibrary, wordOf } from '../lib/library.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

const STATUSES = 1_000_000
const AUTHORS = 5_000

export const search: Scenario = {
  name: 'search',
  about: 'search among a million statuses (times --scale), 20 found, signed in, 32 connections',
  limitIs:
    'bare Express → NATS → responder that asks PostgreSQL for the newest 20 with the word and passes the same bytes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start, backing, scale }) {
    const { product, people, path } = await start({ table: { edge: ['gateway', 'streaming'], rest: ROOMS } })
    const reader = await people.make('searcher')
    const authors = await addUnheard(product.databaseUrl, AUTHORS, 'writer')
    await addLibrary(product.databaseUrl, authors, Math.round(STATUSES * scale))
    let asked = 0
    const read = () => people.as(reader, 'GET', `/api/v2/search?type=statuses&limit=20&q=${wordOf(asked++)}`)
    const page = await read()
    const { length } = JSON.parse(page.text).statuses
    if (length < 20 * Math.min(scale, 1)) throw new Error(`${length} statuses were found`)
    const query = { databaseUrl: product.databaseUrl, process: backing.pg }
    return besideBarePage({ read, path, bytes: Buffer.byteLength(page.text), query })
  },
}
