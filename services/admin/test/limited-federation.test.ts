/** Limited federation mode with the real accounts: accounts of servers that are not allowed are suspended, and restored afterwards. */
import { app as accounts } from '@murmuration/accounts'
import { accountRecords, putRemote } from '@murmuration/contracts/accounts'
import { createDomainAllowByOperator, removeDomainAllowByOperator } from '@murmuration/contracts/admin'
import { type Cluster, remoteActor, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { closeDomains } from '../src/domain-block/ticks.js'
import { app } from '../src/main.js'

let cluster: Cluster
/** Context of the running admin, for its tick. */
let ctx: Context
const ids = new Map<string, string>()
beforeAll(async () => {
  const admin = {
    ...app,
    createContext: async (base: Parameters<typeof app.createContext>[0]) => {
      ctx = (await app.createContext(base)) as Context
      return ctx
    },
  }
  cluster = await startCluster({ apps: [admin, accounts] })
  for (const domain of ['open.example', 'sub.open.example', 'shut.example', 'sub.shut.example']) {
    const { record } = await cluster.call(putRemote, { actor: remoteActor('eve', domain) })
    ids.set(domain, record.id)
  }
})
afterAll(() => cluster.stop())

/** Restarts the services with limited federation mode on or off, and runs the tick. */
const limit = async (on: boolean): Promise<void> => {
  await cluster.host.stop()
  Object.assign(cluster.env, { LIMITED_FEDERATION_MODE: String(on) })
  await cluster.restart()
  await close()
}
const close = async (): Promise<void> => {
  await closeDomains.run(ctx)
  await cluster.waitForIdle()
}
const suspended = async (): Promise<string[]> => {
  const { records } = await cluster.call(accountRecords, { ids: [...ids.values()] })
  return records.flatMap((one) => (one.suspended ? [one.domain ?? ''] : [])).sort()
}

test('moderation 4: in limited federation mode all domains except the exact allowed ones are suspended; otherwise none', async () => {
  await cluster.call(createDomainAllowByOperator, { domains: ['open.example', 'sub.shut.example'] })
  await cluster.waitForIdle()
  expect(await suspended()).toEqual([])
  await limit(true)
  expect(await suspended()).toEqual(['shut.example', 'sub.open.example'])
  await cluster.call(removeDomainAllowByOperator, { domain: 'open.example' })
  await cluster.call(createDomainAllowByOperator, { domains: ['shut.example'] })
  await cluster.waitForIdle()
  await close()
  expect(await suspended()).toEqual(['open.example', 'sub.open.example'])
  await limit(false)
  expect(await suspended()).toEqual([])
})
