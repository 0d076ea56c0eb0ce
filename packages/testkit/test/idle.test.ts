/** Tests of the idle check and of the bus of a cluster whose services have not created their streams yet. */
import { randomBytes } from 'node:crypto'
import { ensureConsumers, ensureStream, eventStream, jetstreamManager } from '@murmuration/bus'
import { event, job } from '@murmuration/contracts/kit'
import { type App, type BaseContext, databaseRoleOf, handlersFor, service } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startBus, type TestBus } from '../src/bus.js'
import { createMigratedDatabase, dropDatabase } from '../src/databases.js'
import { createIdleCheck, type IdleCheck } from '../src/idle.js'

const word = z.object({ word: z.string() })
const echo = job('media.echo', { data: word, about: 'Echoes.' })
const ruled = event('admin.word.ruled', { data: word, about: 'A word was allowed.' })
const { react, work } = handlersFor<BaseContext>()
const app: App = {
  manifest: service('media', {
    reactions: [react(ruled, 'on-word-ruled', async () => undefined)],
    jobs: [work(echo, async () => undefined)],
    roles: { worker: { reactions: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

const adminUrl = process.env.DATABASE_URL ?? ''
const name = `t_${randomBytes(6).toString('hex')}`
const secretKeyBase = randomBytes(32).toString('base64url')
let bus: TestBus
let idle: IdleCheck
beforeAll(async () => {
  const databaseUrl = await createMigratedDatabase(adminUrl, name, (url, owner) =>
    databaseRoleOf({ secretKeyBase, databaseUrl: url }, owner),
  )
  bus = await startBus([app], secretKeyBase)
  idle = await createIdleCheck({ databaseUrl, apps: [app], observer: bus.observer })
})
afterAll(async () => {
  await idle?.close()
  await bus?.close()
  await dropDatabase(adminUrl, name)
})

test('the bus has a stream for events of a service that does not run', async () => {
  const jsm = await jetstreamManager(bus.observer, { checkAPI: false })
  expect((await jsm.streams.info(eventStream('admin'))).config.subjects).toEqual(['evt.admin.>'])
})

test('a cluster is idle only when its streams and their consumers exist', async () => {
  expect(await idle.busy()).toBe('JOB_media is not created')
  const jsm = await jetstreamManager(bus.observer, { checkAPI: false })
  const stream = { name: 'JOB_media', subjects: ['job.media.>'], kind: 'jobs' as const }
  await ensureStream(jsm, stream, { replicas: 1, maxBytes: 1_048_576 })
  expect(await idle.busy()).toBe('consumers of JOB_media are not created')
  const limits = { ackWaitMs: 15_000, maxAckPending: 10 }
  await ensureConsumers(jsm, [{ stream: 'JOB_media', durable: 'media_echo', filter: 'job.media.echo', ...limits }])
  await expect.poll(() => idle.busy()).toBeNull()
})
