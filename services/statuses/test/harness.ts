/** Test fixture: a statuses service on real stores with fakes of the other services, and helpers for common actions. */
import * as accounts from '@murmuration/contracts/accounts'
import type { Status } from '@murmuration/contracts/entities'
import type { Caller, Event } from '@murmuration/contracts/kit'
import * as statuses from '@murmuration/contracts/statuses'
import type { App } from '@murmuration/kernel'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { createClient } from 'redis'
import { app } from '../src/main.js'
import { accountsApp } from './fakes/accounts.js'
import { type FakeAccount, FakeData } from './fakes/data.js'
import { federationApp } from './fakes/federation.js'
import { mediaApp } from './fakes/media.js'

export interface Harness {
  cluster: Cluster
  fakes: FakeData
  as(fakeAccount: FakeAccount): Partial<Caller>
  post(fakeAccount: FakeAccount, input: Record<string, unknown> | string): Promise<Status>
  /** Announces an event of the accounts service. */
  happen(event: Event, data: Record<string, unknown>): Promise<void>
  /** The home feed as statuses, after all events and jobs were processed. */
  home(fakeAccount: FakeAccount, page?: Record<string, unknown>): Promise<Status[]>
  wipeRedis(): Promise<void>
  /** Sets since when presence is known, in milliseconds before now. */
  presenceKept(forMs?: number): Promise<void>
  /** Records an open connection of an account, as streaming nodes do. */
  present(fakeAccount: FakeAccount, ago?: number): Promise<void>
  stop(): Promise<void>
}

export const startHarness = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Harness> => {
  const fakes = new FakeData()
  const cluster = await startCluster({
    apps: [accountsApp(fakes), mediaApp(fakes), federationApp(fakes), app, ...more],
    env,
  })
  const redis = createClient({ url: cluster.env.REDIS_URL ?? '' })
  redis.on('error', () => {})
  await redis.connect()
  await redis.flushDb()
  const presenceKept = async (forMs = 3_600_000) => {
    await redis.zAdd('streaming:present', { score: forMs - Date.now(), value: '!' })
  }
  await presenceKept()
  const as = (fakeAccount: FakeAccount): Partial<Caller> => ({
    viewer: viewer(fakeAccount.id),
    app: { id: '1', tokenId: fakeAccount.id, scopes: ['read', 'write'] },
  })
  return {
    cluster,
    fakes,
    as,
    post: async (fakeAccount, input) =>
      (await cluster.call(
        statuses.createStatus,
        (typeof input === 'string' ? { status: input } : input) as never,
        as(fakeAccount),
      )) as Status,
    async happen(event, data) {
      const accountsHost = cluster.host.running.find((one) => one.service === 'accounts')
      if (!accountsHost) throw new Error('accounts does not run')
      const { ctx } = accountsHost
      await ctx.db.tx((tx) => ctx.announce(tx, event as never, data as never))
      await cluster.waitForIdle()
    },
    async home(fakeAccount, page = {}) {
      await cluster.waitForIdle()
      return cluster.call(statuses.homeTimeline, page as never, as(fakeAccount))
    },
    wipeRedis: async () => {
      await redis.flushDb()
    },
    presenceKept,
    present: async (fakeAccount, ago = 0) => {
      await redis.zAdd('streaming:present', { score: Date.now() - ago, value: fakeAccount.id })
    },
    async stop() {
      await cluster.waitForIdle().catch(() => undefined)
      redis.destroy()
      await cluster.stop()
    },
  }
}

export { accounts, statuses }
