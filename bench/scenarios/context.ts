/** A thread of 200 replies as somebody signed in sees it, warm, 32 connections. */
import { besideBarePage } from '../lib/bare-page.js'
import type { Person } from '../lib/people.js'
import { ROOMS, type Scenario } from '../lib/scenario.js'

const REPLIES = 200
const AUTHORS = Array.from({ length: 10 }, (_, i) => `threader${i}`)

export const context: Scenario = {
  name: 'context',
  about: 'a thread of 200 replies by 10 people, signed in, warm, 32 connections',
  limitIs: 'bare Express → NATS → responder passing the same bytes, same number of processes',
  target: { kind: 'ratio', value: 0.2 },
  async run({ start }) {
    const { product, people, path, analyze } = await start({ table: { edge: ['gateway', 'streaming'], rest: ROOMS } })
    const authors = await Promise.all(AUTHORS.map((name) => people.make(name)))
    const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { id: string }).id
    const say = async (i: number, in_reply_to_id?: string) =>
      idOf(
        await people.as(authors[i % authors.length] as Person, 'POST', '/api/v1/statuses', {
          status: `Reply number ${i}, with a #tag and some more words to make it a usual length.`,
          ...(in_reply_to_id && { in_reply_to_id }),
        }),
      )
    const root = await say(0)
    // Ten branches that grow side by side.
    await Promise.all(
      authors.map(async (_, branch) => {
        let parent = root
        for (let i = 0; i < REPLIES / authors.length; i++) {
          const id = await say(branch + i, parent)
          if (i % 2 === 0) parent = id
        }
      }),
    )
    await product.settle()
    await analyze()
    const read = () => people.as(authors[0] as Person, 'GET', `/api/v1/statuses/${root}/context`)
    const page = await read()
    const { length } = JSON.parse(page.text).descendants
    if (length !== REPLIES) throw new Error(`the thread holds ${length} replies, ${REPLIES} expected`)
    return besideBarePage({ read, path, bytes: Buffer.byteLength(page.text) })
  },
}
