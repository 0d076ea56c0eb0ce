/**
 * Measures a page of 40 notifications of three types by 8 users, read by a signed-in user on 32 connections, with warm
 * caches.
 */
import { compareWithBarePage } from '../lib/bare-page.js'
import { type Scenario, SERVICES } from '../lib/scenario.js'

const USERNAMES = Array.from({ length: 8 }, (_, i) => `notifier${i}`)
/** Number of mentions, favourites and boosts of each user. */
const ROUNDS = 2
const PAGE = 40

export const notifications: Scenario = {
  name: 'notifications',
  about: 'signed-in notifications, 40 of them, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, users, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: SERVICES } })
    const reader = await users.create('notified')
    const others = await Promise.all(USERNAMES.map((name) => users.create(name)))
    for (let i = 0; i < ROUNDS; i++) {
      const { text } = await users.as(reader, 'POST', '/api/v1/statuses', { status: `Say something about ${i}` })
      const { id } = JSON.parse(text) as { id: string }
      for (const one of others) {
        await users.as(one, 'POST', `/api/v1/statuses/${id}/favourite`)
        await users.as(one, 'POST', `/api/v1/statuses/${id}/reblog`)
        await users.as(one, 'POST', '/api/v1/statuses', {
          status: `@notified something about ${i}`,
          in_reply_to_id: id,
        })
      }
    }
    await product.waitForIdle()
    await analyze()
    const read = () => users.as(reader, 'GET', `/api/v1/notifications?limit=${PAGE}`)
    const page = await read()
    const { length } = JSON.parse(page.text)
    if (length !== PAGE) throw new Error(`the page contains ${length} notifications, ${PAGE} expected`)
    return compareWithBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
