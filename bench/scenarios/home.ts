/** Measures the home timeline of 20 statuses, read by a signed-in user on 32 connections, with warm caches. */
import { compareWithBarePage } from '../lib/bare-page.js'
import { type Scenario, SERVICES } from '../lib/scenario.js'
import type { User } from '../lib/users.js'

const AUTHORS = ['homea', 'homeb', 'homec', 'homed', 'homee']

export const home: Scenario = {
  name: 'home',
  about: 'signed-in home timeline, 20 statuses, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.35 },
  async run({ start }) {
    const { product, users, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: SERVICES } })
    const reader = await users.create('homereader')
    const authors = await Promise.all(AUTHORS.map((name) => users.create(name)))
    const readHome = () => users.as(reader, 'GET', '/api/v1/timelines/home')
    await Promise.all(authors.map((author) => users.as(reader, 'POST', `/api/v1/accounts/${author.id}/follow`)))
    await readHome()
    for (let i = 0; i < 40; i++)
      await users.as(authors[i % authors.length] as User, 'POST', '/api/v1/statuses', {
        status: `Hello number ${i}, with a #tag and a link https://example.org/${i} and some more words to make it a usual length.`,
      })
    await product.waitForIdle()
    const page = await readHome()
    const { length } = JSON.parse(page.text)
    if (length !== 20) throw new Error(`the home timeline contains ${length} statuses, 20 expected`)

    await analyze()
    return compareWithBarePage({ read: readHome, path, bytes: Buffer.byteLength(page.text) })
  },
}
