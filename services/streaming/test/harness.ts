/** Fakes of the services that streaming calls, which respond from tables, and functions that publish live events. */

import { openRedis } from '@murmuration/cache'
import * as accounts from '@murmuration/contracts/accounts'
import { AccessChunk } from '@murmuration/contracts/admin'
import type { Account, Conversation, Notification, Status } from '@murmuration/contracts/entities'
import { fail, type Json, toJson } from '@murmuration/contracts/kit'
import * as notifications from '@murmuration/contracts/notifications'
import * as statuses from '@murmuration/contracts/statuses'
import { liveEveryone } from '@murmuration/contracts/streaming'
import { type App, accessRulesOf, type BaseContext, handlersFor, type Policy, service } from '@murmuration/kernel'
import { type Cluster, startCluster, testRedisUrl } from '@murmuration/testkit'
import { openStream } from '@murmuration/testkit/ws/streaming-client'
import { app as streaming } from '../src/main.js'

const { handle } = handlersFor<BaseContext>()

interface Token {
  fakeAccount: string
  scopes: string[]
  state: accounts.ResolvedToken['state'] | 'revoked'
}

export interface Harness {
  cluster: Cluster
  origin: string
  tokens: Map<string, Token>
  /** List id → owner. */
  lists: Map<string, string>
  /** Listeners for whom a status is hidden: `status:listener`. */
  hidden: Set<string>
  /** Requests for renderings, as `surface:status`. */
  rendered: string[]
  /** Statuses whose rendering fails. */
  broken: Set<string>
  /** Milliseconds that each rendering takes. */
  renderMs: number
  /** True: accounts issues expired grants, and the rendering services refuse them. */
  stale: boolean
  /** Creates a token of an account. */
  token(fakeAccount: string, scopes?: string[]): string
  /** Publishes a live message, as a service does. */
  publish(by: 'statuses' | 'notifications' | 'admin', subject: string, message: statuses.LiveMessage): void
  /** Resolves when all subscriptions of streaming are active, and earlier messages were received. */
  listening(): Promise<void>
  /** Resolves when this public subject has a subscriber. */
  listened(subject: string): Promise<void>
  /** Resolves when all earlier messages to accounts are in the log. */
  logged(): Promise<void>
  /** Runs `work` while an IP block refuses all addresses of this machine. */
  withIpBlock<T>(work: () => Promise<T>): Promise<T>
  /** Sends the invalidation that a token changed. */
  invalidation(token: string): void
  /** Announces the revocation of a token. */
  revoke(token: string): void
  stop(): Promise<void>
}

export const account = (id: string): Account => ({
  ...{ id, username: `u${id}`, acct: `u${id}`, display_name: '', locked: false, bot: false, group: false },
  ...{ discoverable: true, indexable: true, created_at: '2026-01-01T00:00:00.000Z', note: '' },
  ...{ url: `https://here.example/@u${id}`, uri: `https://here.example/ap/users/${id}` },
  ...{ avatar: 'https://here.example/a.png', avatar_static: 'https://here.example/a.png', avatar_description: '' },
  ...{ header: 'https://here.example/h.png', header_static: 'https://here.example/h.png', header_description: '' },
  ...{ followers_count: 0, following_count: 0, statuses_count: 0, last_status_at: null, hide_collections: null },
  ...{ show_media: true, show_media_replies: true, show_featured: true, emojis: [], fields: [] },
  feature_approval: { automatic: [], manual: [], current_user: 'missing' },
})

export const status = (id: string): Status => ({
  ...{
    id,
    created_at: '2026-01-02T03:04:05.678Z',
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    sensitive: false,
  },
  ...{ spoiler_text: '', visibility: 'public', language: 'en', uri: `https://here.example/${id}`, url: null },
  ...{
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
    edited_at: null,
    account: account('9'),
  },
  ...{ media_attachments: [], mentions: [], tags: [], emojis: [], card: null, poll: null, quote: null },
  quote_approval: { automatic: [], manual: [], current_user: 'denied' },
  ...{ tagged_collections: [], content: '<p>x</p>', reblog: null },
})

const neighbours = (harness: Harness): App[] => {
  const isGranted = (account: string, grant: string | undefined) => harness.cluster.allows(account, grant ?? '')
  const plain = (name: string, more: Partial<Parameters<typeof service>[1]>): App => ({
    manifest: service(name, {
      database: false,
      roles: { api: { operations: true, scales: 'tests', needs: [] } },
      ...more,
    }),
    createContext: (base) => base,
  })
  return [
    plain('accounts', {
      invalidations: [accounts.tokenInvalidation],
      operations: [
        handle(accounts.resolveToken, async (_ctx, _viewer, { token, stream }) => {
          const known = harness.tokens.get(token)
          if (!known || known.state === 'revoked')
            return { found: null, why: known ? ('revoked' as const) : ('unknown' as const) }
          const viewer = {
            id: known.fakeAccount,
            userId: known.fakeAccount,
            permissions: 0,
            position: -1,
            locale: 'en',
          }
          return {
            found: { tokenId: token, appId: '1', scopes: known.scopes, viewer, state: known.state },
            why: 'ok' as const,
            ...(stream && { grant: harness.stale ? '0.old' : harness.cluster.grant(known.fakeAccount) }),
          }
        }),
        handle(accounts.listOwners, async (_ctx, _viewer, { ids }) => ({
          owners: Object.fromEntries(
            ids.flatMap((id) => (harness.lists.has(id) ? [[id, harness.lists.get(id) ?? '']] : [])),
          ),
        })),
      ],
    }),
    plain('statuses', {
      live: [statuses.liveUser, statuses.livePublic, statuses.liveTag, statuses.liveList],
      operations: [
        handle(statuses.renderForListeners, async (_ctx, _viewer, { id, listeners, grants, surface }) => {
          const refused = listeners.flatMap((one, i) => (isGranted(one, grants?.[i]) ? [] : [i]))
          harness.rendered.push(`${surface}:${id}`)
          if (harness.broken.has(id)) throw fail('unavailable', 'Not now')
          if (harness.renderMs > 0) await new Promise((resolve) => setTimeout(resolve, harness.renderMs))
          return {
            card: JSON.stringify(status(id)).slice(0, -1),
            tails: listeners.map((one) => `,"filtered":[],"muted":${one === '2'}}`),
            tailOf: listeners.map((one, i) => (harness.hidden.has(`${id}:${one}`) || refused.includes(i) ? -1 : i)),
            ...(refused.length > 0 && { refused }),
          }
        }),
        handle(statuses.conversationCards, async (_ctx, _viewer, { viewer, ids, grant }) => {
          if (!isGranted(viewer, grant)) throw fail('forbidden', 'No grant')
          const text = (id: string): Json<Conversation> =>
            toJson({ id, unread: true, accounts: [account(viewer)], last_status: null })
          return new Map(ids.map((id) => [id, text(id)]))
        }),
      ],
    }),
    plain('notifications', {
      live: [statuses.liveUser],
      operations: [
        handle(notifications.notificationCards, async (_ctx, _viewer, { recipient, ids, grant }) => {
          if (!isGranted(recipient, grant)) throw fail('forbidden', 'No grant')
          const text = (id: string): Json<Notification> =>
            toJson({
              id,
              type: 'follow',
              created_at: '2026-01-02T03:04:05.678Z',
              group_key: `ungrouped-${id}`,
              account: account('9'),
            } as Notification)
          return new Map(ids.map((id) => [id, text(id)]))
        }),
      ],
    }),
    plain('admin', { live: [liveEveryone] }),
  ]
}

export const startHarness = async (env: Record<string, string> = {}): Promise<Harness> => {
  const before = { ...process.env }
  const contextOf = (name: string) => harness.cluster.host.running.find((one) => one.service === name)?.ctx
  const harness: Harness = {
    cluster: undefined as unknown as Cluster,
    origin: '',
    tokens: new Map(),
    lists: new Map(),
    hidden: new Set(),
    rendered: [],
    broken: new Set(),
    renderMs: 0,
    stale: false,
    token(fakeAccount, scopes = ['read']) {
      const token = `token-${fakeAccount}-${harness.tokens.size}`
      harness.tokens.set(token, { fakeAccount, scopes, state: 'ok' })
      return token
    },
    publish(by, subject, message) {
      contextOf(by)?.nc.publish(subject, JSON.stringify(message))
    },
    async listening() {
      for (const name of ['statuses', 'notifications', 'admin', 'streaming']) await contextOf(name)?.nc.flush()
    },
    async listened(subject) {
      const { nc } = contextOf('statuses') as BaseContext
      // Subscribers do not respond to this request. Without a subscriber, the bus refuses it immediately.
      const isHeard = () =>
        nc.request(subject, '{}', { timeout: 1_000 }).then(
          () => true,
          (error: Error) => !/no responders/i.test(`${error.name} ${error.message}`),
        )
      while (!(await isHeard())) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    async logged() {
      const ours = contextOf('streaming') as BaseContext
      const heard = new Promise<void>((resolve) => {
        ours.nc.subscribe('seq.user.78', { max: 1, callback: () => resolve() })
      })
      await harness.listening()
      // The log is one sequence, so the message that is published last comes after all others.
      harness.publish('statuses', 'live.user.78', { e: 'filters_changed' })
      await heard
    },
    revoke(token) {
      const known = harness.tokens.get(token)
      if (known) known.state = 'revoked'
      harness.invalidation(token)
    },
    async withIpBlock(work) {
      const policy = harness.cluster.host.running.find((one) => one.service === 'streaming')?.ctx.policy as Policy
      const before = policy.access
      const ips = [{ ip: '127.0.0.0/8', severity: 'no_access', expires_at: null }]
      policy.access = () => accessRulesOf([AccessChunk.parse({ ips })])
      return work().finally(() => {
        policy.access = before
      })
    },
    invalidation(token) {
      harness.cluster.host.running
        .find((one) => one.service === 'accounts')
        ?.ctx.invalidations.send(accounts.tokenInvalidation, [token])
    },
    async stop() {
      await harness.cluster.stop()
      for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key]
      Object.assign(process.env, before)
    },
  }
  // Presence of an earlier test file would show its accounts as connected.
  const redis = await openRedis({ url: testRedisUrl(), name: 'test' })
  await redis.run((client) => client.flushDb() as Promise<unknown>)
  await redis.close()
  harness.cluster = await startCluster({ apps: [...neighbours(harness), streaming], env })
  harness.origin = harness.cluster.origin
  // Waits until the log exists, because it is created in the background and earlier messages are lost.
  const probe = await openStream(`${harness.origin}/`, { token: harness.token('77'), query: { stream: 'user' } })
  for (let tries = 0; probe.events.all.length === 0 && tries < 300; tries++) {
    harness.publish('statuses', 'live.user.77', { e: 'filters_changed' })
    await probe.next('filters_changed', 100).catch(() => undefined)
  }
  await probe.close()
  return harness
}
