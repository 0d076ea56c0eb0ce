/** Measures a thread of 200 replies, read by a signed-in user on 32 connections, with warm caches. */
import { compareWithBarePage } from '../lib/bare-page.js'
import { type Scenario, SERVICES } from '../lib/scenario.js'
import type { User } from '../lib/users.js'

const REPLIES = 200
const AUTHORS = Array.from({ length: 10 }, (_, i) => `threader${i}`)

export const context: Scenario = {
  name: 'context',
  about: 'a thread of 200 replies by 10 users, signed in, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, users, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: SERVICES } })
    const authors = await Promise.all(AUTHORS.map((name) => users.create(name)))
    const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { id: string }).id
    const post = async (i: number, in_reply_to_id?: string) =>
      idOf(
        await users.as(authors[i % authors.length] as User, 'POST', '/api/v1/statuses', {
          status: `Reply number ${i}, with a #tag and some more words to make it a usual length.`,
          ...(in_reply_to_id && { in_reply_to_id }),
        }),
      )
    const root = await post(0)
    // Ten branches of the thread are written at the same time.
    await Promise.all(
      authors.map(async (_, branch) => {
        let parent = root
        for (let i = 0; i < REPLIES / authors.length; i++) {
          const id = await post(branch + i, parent)
          if (i % 2 === 0) parent = id
        }
      }),
    )
    await product.waitForIdle()
    await analyze()
    const read = () => users.as(authors[0] as User, 'GET', `/api/v1/statuses/${root}/context`)
    const page = await read()
    const { length } = JSON.parse(page.text).descendants
    if (length !== REPLIES) throw new Error(`the thread contains ${length} replies, ${REPLIES} expected`)
    return compareWithBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
