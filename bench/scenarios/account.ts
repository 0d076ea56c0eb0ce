/** Measures a page of 20 statuses of one account, read by a signed-in follower on 32 connections, with warm caches. */
import { compareWithBarePage } from '../lib/bare-page.js'
import { type Scenario, SERVICES } from '../lib/scenario.js'

const STATUSES = 40

export const account: Scenario = {
  name: 'account',
  about: 'statuses of an account, signed in, 20 of them, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, users, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: SERVICES } })
    const [reader, author] = [await users.create('accountreader'), await users.create('accountauthor')]
    await users.as(reader, 'POST', `/api/v1/accounts/${author.id}/follow`)
    for (let i = 0; i < STATUSES; i++)
      await users.as(author, 'POST', '/api/v1/statuses', {
        status: `Hello number ${i}, with a #tag and a link https://example.org/${i} and some more words to make it a usual length.`,
      })
    await product.waitForIdle()
    await analyze()
    const read = () => users.as(reader, 'GET', `/api/v1/accounts/${author.id}/statuses`)
    const page = await read()
    const { length } = JSON.parse(page.text)
    if (length !== 20) throw new Error(`the page contains ${length} statuses, 20 expected`)
    return compareWithBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
