/** Measures the delivery of one public status to 200 hosts, and to 5,000 inboxes on 500 hosts. */
import { addRemoteFollowers } from '../lib/accounts.js'
import { startLimit } from '../lib/limit-process.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import { startRemoteHosts } from '../lib/remote-hosts.js'
import { DELIVERING, type Scenario } from '../lib/scenario.js'

/** Bytes of the activity for the status of this scenario. */
const BYTES = 1_500

interface Size {
  hosts: number
  inboxesEach: number
  /** Number of statuses of one round. Each is delivered to all inboxes before the next one is created. */
  statuses: number
  /** Number of statuses that are delivered before measuring, so that the code of all processes is compiled. */
  before: number
}

const deliveryTo = (
  { hosts, inboxesEach, statuses, before }: Size,
  rest: Pick<Scenario, 'name' | 'about' | 'target'>,
): Scenario => ({
  ...rest,
  limitIs: 'sign and POST over persistent connections, nothing else',
  async run({ start }) {
    const { product, users, path, analyze } = await start({ first: DELIVERING })
    const author = await users.create('sender')
    const remote = await startRemoteHosts({ hosts, inboxesEach })
    const { inboxes } = remote
    const bare = await startLimit('sign-post.ts', String(BYTES), ...inboxes)
    await addRemoteFollowers(product.databaseUrl, author, inboxes)
    let n = 0
    const reachAll = async (): Promise<void> => {
      const all = remote.awaitDeliveries(inboxes.length)
      await users.as(author, 'POST', '/api/v1/statuses', { status: `To all hosts, ${n++}, and a few more words.` })
      await all
    }
    const ours = () =>
      figureOf(path(), () =>
        timed(inboxes.length * statuses, async () => {
          for (let i = 0; i < statuses; i++) await reachAll()
        }),
      )
    const limit = async () => {
      const all = remote.awaitDeliveries(inboxes.length * statuses)
      const count = inboxes.length * statuses
      const figure = await figureOf({ bare: bare.pid }, () => bare.run({ concurrency: 64, count }))
      await all
      return figure
    }
    try {
      for (let i = 0; i < before; i++) await reachAll()
      await ours()
      await analyze()
      return await alternate(5, ours, limit)
    } finally {
      await bare.stop()
      await remote.stop()
    }
  },
})

export const delivery = deliveryTo(
  { hosts: 200, inboxesEach: 1, statuses: 5, before: 100 },
  { name: 'delivery', about: 'delivery of one public status to 200 hosts', target: { kind: 'ratio', value: 0.6 } },
)

export const deliveryLarge = deliveryTo(
  { hosts: 500, inboxesEach: 10, statuses: 1, before: 0 },
  {
    name: 'delivery-large',
    about: 'delivery of one public status to 5,000 inboxes on 500 hosts',
    target: { kind: 'ratio', value: 0.7 },
  },
)
