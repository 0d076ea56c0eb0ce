/** Delivery of one public status to 200 hosts. */
import { freePort } from '@murmuration/testkit'
import { addRemoteFollowers } from '../lib/crowd.js'
import { startLimit } from '../lib/limit-process.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const HOSTS = 200
/** Statuses of one turn, each waited for before the next. */
const STATUSES = 5
/** Bytes of the activity of such a status. */
const BYTES = 1_500

export const delivery: Scenario = {
  name: 'delivery',
  about: 'delivery of one public status to 200 hosts',
  limitIs: 'sign and POST over kept connections, nothing else',
  target: { kind: 'ratio', value: 0.6 },
  async run({ start }) {
    // Loopback and plain HTTP are refused in production; the process of federation alone is told that this is a test.
    const first = { work: { MODE: 'test', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' } }
    const { product, people, path, analyze } = await start({ first })
    const author = await people.make('sender')
    const port = await freePort()
    const addresses = Array.from({ length: HOSTS }, (_, i) => `127.77.${i + 1}.1`)
    const inboxes = addresses.map((address) => `http://${address}:${port}/inbox`)
    const servers = await startLimit('fake-inboxes.ts', String(port), ...addresses)
    const bare = await startLimit('sign-post.ts', String(BYTES), ...inboxes)
    await addRemoteFollowers(product.databaseUrl, author, inboxes)
    const hears = (count: number) => servers.ask(String(count))
    let n = 0
    const reachAll = async (): Promise<void> => {
      const all = hears(HOSTS)
      await people.as(author, 'POST', '/api/v1/statuses', { status: `To all hosts, ${n++}, and a few more words.` })
      await all
    }
    const ours = () =>
      figureOf(path(), () =>
        timed(HOSTS * STATUSES, async () => {
          for (let i = 0; i < STATUSES; i++) await reachAll()
        }),
      )
    const limit = async () => {
      const all = hears(HOSTS * STATUSES)
      const figure = await figureOf({ bare: bare.pid }, () => bare.run({ concurrency: 64, count: HOSTS * STATUSES }))
      await all
      return figure
    }
    try {
      await ours()
      await analyze()
      return await alternate(5, ours, limit)
    } finally {
      await bare.stop()
      await servers.stop()
    }
  },
}
