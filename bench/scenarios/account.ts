/** The statuses of one account as a signed-in follower sees them, 20 of them, warm, 32 connections. */
import { besideBarePage } from '../lib/bare-page.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

const STATUSES = 40

export const account: Scenario = {
  name: 'account',
  about: 'statuses of an account, signed in, 20 of them, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, people, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: ROOMS } })
    const [reader, author] = [await people.make('accountreader'), await people.make('accountauthor')]
    await people.as(reader, 'POST', `/api/v1/accounts/${author.id}/follow`)
    for (let i = 0; i < STATUSES; i++)
      await people.as(author, 'POST', '/api/v1/statuses', {
        status: `Hello number ${i}, with a #tag and a link https://example.org/${i} and some more words to make it a usual length.`,
      })
    await product.settle()
    await analyze()
    const read = () => people.as(reader, 'GET', `/api/v1/accounts/${author.id}/statuses`)
    const page = await read()
    const { length } = JSON.parse(page.text)
    if (length !== 20) throw new Error(`the page holds ${length} statuses, 20 expected`)
    return besideBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
