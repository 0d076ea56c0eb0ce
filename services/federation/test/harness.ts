/** Fixture: this server on real stores behind a plain HTTP server, and other servers that send to it on loopback. */

import { app as accounts } from '@murmuration/accounts'
import { jetstreamManager, openPolicyBucket } from '@murmuration/bus'
import { openRedis } from '@murmuration/cache'
import { type AccountRecord, accountRecords, createAccountByOperator } from '@murmuration/contracts/accounts'
import type { DomainRule, InstanceSettings } from '@murmuration/contracts/admin'
import { InstanceSettings as Settings } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type App, type BaseContext, service } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, type SendOptions, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import type { ListenOptions } from '@murmuration/testkit/outside/web-server'
import type { Context } from '../src/context.js'
import { app as federation } from '../src/main.js'
import { httpServer } from './http-server.js'

/** Writes the instance policy as admin does. */
const policyWriter = (hold: (base: BaseContext) => void): App => ({
  manifest: service('admin', {
    database: false,
    writesPolicy: true,
    roles: { api: { scales: '', needs: [] } },
  }),
  createContext(base) {
    hold(base)
    return base
  },
})

export interface InboxRow {
  type: string
  actor: string
  activity_id: string | null
  outcome: string | null
  reason: string | null
}

export interface Harness extends Cluster {
  /** A local account. */
  createAccount(name: string): Promise<Viewer & { uri: string; record: AccountRecord }>
  /** Another server, which is closed with the fixture. `name`: the host in its addresses. */
  server(options?: ListenOptions): Promise<RemoteServer>
  policy(change: { settings?: Partial<InstanceSettings>; blocks?: DomainRule[]; allows?: string[] }): Promise<void>
  /** Posts an activity to the shared inbox, or to another path. */
  deliver(
    from: RemoteServer,
    activity: Document | string,
    how: SendOptions & { to?: string },
  ): Promise<{ status: number; text: string }>
  /** The same. Returns the outcome of the activity. */
  outcome(from: RemoteServer, activity: Document & { id?: string }, how: SendOptions & { to?: string }): Promise<string>
  inboxRows(): Promise<InboxRow[]>
  /** Deletes all data in Redis and the counts of the process, so that rate limits begin again. */
  clear(): Promise<void>
  /** The account of a remote actor, or null. */
  account(uri: string): Promise<AccountRecord | null>
}

/** `more` are further services that run beside the usual ones. */
export const startHarness = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Harness> => {
  let admin: BaseContext | undefined
  const cluster = await startCluster({
    apps: [
      httpServer,
      accounts,
      statuses,
      media,
      federation,
      ...more,
      policyWriter((base) => {
        admin = base
      }),
    ],
    env: { OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', ...env },
  })
  const servers: RemoteServer[] = []
  let revision = 0
  const harness: Harness = Object.assign(Object.create(cluster) as Cluster, {
    async createAccount(name: string) {
      const { id } = await cluster.call(createAccountByOperator, {
        username: name,
        email: `${name}@mail.example`,
        confirmed: true,
      })
      const { records } = await cluster.call(accountRecords, { ids: [id] })
      const [record] = records
      if (!record) throw new Error(`${name} was not made`)
      return { ...viewer(id), uri: record.uri, record }
    },
    async server(options: ListenOptions = {}) {
      const server = await startRemoteServer(options)
      servers.push(server)
      return server
    },
    async policy({ settings = {}, blocks = [], allows = [] }: Parameters<Harness['policy']>[0]) {
      const base = admin as BaseContext
      const jsm = await jetstreamManager(base.nc, { checkAPI: false })
      const bucket = openPolicyBucket(base.nc, jsm, { replicas: 1 })
      const rev = String(++revision)
      const at = await bucket.position()
      const chunk = await bucket.write('domains.0', JSON.stringify({ blocks, allows }), at.sequence)
      await bucket.write('settings', JSON.stringify({ settings: Settings.parse(settings), chunks: 1, rev }), chunk ?? 0)
      // Each service loads the policy itself, some of them later than others on a busy machine.
      const policies = cluster.host.running.map(({ ctx }) => ctx.policy)
      const isThere = () =>
        policies.every(
          (policy) =>
            policy.loaded() &&
            policy.allowsAnybody() === allows.length > 0 &&
            allows.every((domain) => policy.allows(domain)) &&
            ['127.0.0.1', 'localhost'].every(
              (domain) => policy.domainRule(domain)?.severity === blocks.find((one) => one.domain === domain)?.severity,
            ),
        )
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async deliver(
      from: RemoteServer,
      activity: Document | string,
      { to = '/inbox', ...how }: SendOptions & { to?: string },
    ) {
      return from.send(activity, `${cluster.origin}${to}`, how)
    },
    async outcome(from: RemoteServer, activity: Document & { id?: string }, how: SendOptions & { to?: string }) {
      let answer = await harness.deliver(from, activity, how)
      // A busy machine may respond 503, which senders retry.
      for (let tries = 0; answer.status === 503 && tries < 10; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        answer = await harness.deliver(from, activity, how)
      }
      const { status, text } = answer
      const fault = /"The activity is not accepted: ([a-z-]+)"/.exec(text)?.[1]
      if (status !== 202) return `${status} ${fault ?? text}`
      await cluster.waitForIdle()
      const row = await cluster
        .db('federation')
        .row<InboxRow>(
          sql`select outcome, reason from inbox_activities where ${activity.id ?? null}::text is null or activity_id = ${activity.id ?? null} order by received_at desc, id desc limit 1`,
        )
      return row === null ? 'dropped' : [row.outcome ?? 'waiting', row.reason].filter(Boolean).join(' ')
    },
    inboxRows: () =>
      cluster
        .db('federation')
        .rows<InboxRow>(sql`select type, actor, activity_id, outcome, reason from inbox_activities order by id`),
    async clear() {
      const redis = await openRedis({ url: cluster.env.REDIS_URL ?? '', name: 'test' })
      await redis.withFallback((client) => client.flushDb() as Promise<unknown>, null)
      await redis.close()
      for (const { service, ctx } of cluster.host.running)
        if (service === 'federation') (ctx as unknown as Context).fetcher.limits.clear()
    },
    async account(uri: string) {
      const { records } = await cluster.call(accountRecords, { uris: [uri] })
      return records[0] ?? null
    },
    async stop() {
      await cluster.stop()
      await Promise.all(servers.map((one) => one.close()))
    },
  })
  await harness.policy({})
  return harness
}
