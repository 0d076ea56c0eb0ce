/** Signed-in home timeline, 20 statuses, warm, 32 connections. */
import { besideBarePage } from '../lib/bare-page.js'
import type { Person } from '../lib/people.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

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
    return besideBarePage({ read: readHome, path, bytes: Buffer.byteLength(page.text) })
  },
}
