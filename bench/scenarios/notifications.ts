/** Signed-in notifications, 40 of them by 8 people and of three types, warm, 32 connections. */
import { besideBarePage } from '../lib/bare-page.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

const PEOPLE = Array.from({ length: 8 }, (_, i) => `notifier${i}`)
/** Mentions, favourites and boosts of each. */
const ROUNDS = 2
const PAGE = 40

export const notifications: Scenario = {
  name: 'notifications',
  about: 'signed-in notifications, 40 of them, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, people, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: ROOMS } })
    const reader = await people.make('notified')
    const others = await Promise.all(PEOPLE.map((name) => people.make(name)))
    for (let i = 0; i < ROUNDS; i++) {
      const { text } = await people.as(reader, 'POST', '/api/v1/statuses', { status: `Say something about ${i}` })
      const { id } = JSON.parse(text) as { id: string }
      for (const one of others) {
        await people.as(one, 'POST', `/api/v1/statuses/${id}/favourite`)
        await people.as(one, 'POST', `/api/v1/statuses/${id}/reblog`)
        await people.as(one, 'POST', '/api/v1/statuses', {
          status: `@notified something about ${i}`,
          in_reply_to_id: id,
        })
      }
    }
    await product.settle()
    await analyze()
    const read = () => people.as(reader, 'GET', `/api/v1/notifications?limit=${PAGE}`)
    const page = await read()
    const { length } = JSON.parse(page.text)
    if (length !== PAGE) throw new Error(`the page holds ${length} notifications, ${PAGE} expected`)
    return besideBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
