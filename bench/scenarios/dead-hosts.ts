/** What hosts that take requests and never answer cost those that do. */
import { addRemoteFollowers } from '../lib/crowd.js'
import { alternate, figureOf } from '../lib/measure.js'
import { startRemoteHosts } from '../lib/remote-hosts.js'
import { DELIVERING, type Scenario } from '../lib/scenario.js'
import { within } from '../lib/tables.js'

const HOSTS = 350
const SILENT = 150
const INBOXES = 10
const TURNS = 3

export const deadHosts: Scenario = {
  name: 'dead-hosts',
  about: `p99 of arrival at ${HOSTS * INBOXES} inboxes while 30 % of all hosts never answer`,
  limitIs: 'the same inboxes without the hosts that never answer',
  target: { kind: 'tail', value: 1.1 },
  async run({ start }) {
    const { product, people, path, analyze } = await start({ first: DELIVERING })
    const remote = await startRemoteHosts({ hosts: HOSTS, silent: SILENT, inboxesEach: INBOXES })
    const calm = await people.make('calm')
    const troubled = await people.make('troubled')
    await addRemoteFollowers(product.databaseUrl, calm, remote.inboxes)
    await addRemoteFollowers(product.databaseUrl, troubled, [...remote.inboxes, ...remote.silent])
    let n = 0
    const reach = (author: typeof calm) =>
      figureOf(path(), async () => {
        const all = remote.hears(remote.inboxes.length)
        await people.as(author, 'POST', '/api/v1/statuses', { status: `To all hosts, ${n++}, and a few more words.` })
        return all
      })
    // Each time they are hosts of which nothing bad is known: what is on the way ends, and their bad past is forgotten.
    const forget = () =>
      within(product.databaseUrl, 'federation', async (client) => {
        const isQuiet = async () => {
          const { rows } = await client.query('select 1 from lanes where holder is not null limit 1')
          return rows.length === 0
        }
        while (!(await isQuiet())) await new Promise((resolve) => setTimeout(resolve, 200))
        await client.query('update deliveries set state = 3 where state = 0')
        await client.query(`update lanes set failures = 0, paused_until = null, failed_days = '{}', due_at = null`)
      })
    const ours = async () => {
      const figure = await reach(troubled)
      await forget()
      return figure
    }
    try {
      await reach(calm)
      await ours()
      await analyze()
      return await alternate(TURNS, ours, () => reach(calm))
    } finally {
      await remote.stop()
    }
  },
}
