/** Federation with fake sibling services on plain tables: accounts with keys and inboxes, statuses with texts. */

import { jetstreamManager, openPolicyBucket } from '@murmuration/bus'
import {
  type AccountRecord,
  accountChanged,
  accountMoved,
  accountRecords,
  accountRemoved,
  accountsAtInbox,
  blockCreated,
  blockerInboxes,
  blockRemoved,
  collectionRecords,
  followCreated,
  followedElsewhere,
  followerDigests,
  followRemoved,
  followRequested,
  followRequestRemoved,
  inboxHosts,
  type LocalActor,
  localActors,
  remoteInboxes,
  remoteKeys,
  resolveAccount,
  signingKey,
} from '@murmuration/contracts/accounts'
import { type DomainRule, InstanceSettings, reportFiled } from '@murmuration/contracts/admin'
import type { AnyEvent } from '@murmuration/contracts/kit'
import {
  favouriteCreated,
  favouriteRemoved,
  featuredTagNames,
  localBoosts,
  type NoteData,
  ownStatusIds,
  pollEnded,
  pollVoted,
  quoteRequested,
  recentlyMentioned,
  statusCreated,
  statusDeleted,
  statusEdited,
  statusPinned,
  statusRecords,
  statusSources,
  statusUnpinned,
} from '@murmuration/contracts/statuses'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import type { z } from 'zod'
import { app as federation } from '../src/main.js'

const { handle } = handlersFor<BaseContext>()
const everything = { operations: true, ticks: true, scales: '', needs: [] } as const

export interface Tables {
  accounts: Map<string, AccountRecord>
  /** Inboxes of remote followers, by author. */
  inboxes: Map<string, string[]>
  /** Inboxes of remote accounts that block a local one, by the blocked account. */
  blockers: Map<string, string[]>
  /** Digests of followers by origin, by author. */
  digests: Map<string, Record<string, string>>
  keys: Map<string, { keyId: string; privatePem: string; publicPem: string }>
  sources: Map<string, NoteData>
  /** True for a statuses service of an older release, which ignores members of inputs that it does not know. */
  hasOlderStatuses: boolean
  collections: { id: string; uri: string; owner: string }[]
  /** Actors that were fetched again. */
  resolved: string[]
  /** Number of requests for keys. */
  keyQuestions: number
  /** Awaited before a response with accounts, or with inboxes of followers. */
  before: ((what: 'accounts' | 'inboxes') => Promise<void>) | null
}

const accountsOf = (tables: Tables, hold: (base: BaseContext) => void): App => ({
  manifest: service('accounts', {
    operations: [
      handle(signingKey, async (_ctx, _viewer, { ids }) => {
        tables.keyQuestions++
        return { keys: Object.fromEntries([...tables.keys].filter(([id]) => ids.includes(id))) }
      }),
      handle(remoteKeys, async () => ({ key: null })),
      handle(accountRecords, async (_ctx, _viewer, { ids = [], uris = [], handles = [] }) => {
        await tables.before?.('accounts')
        const handleOf = (it: AccountRecord) => (it.domain === null ? it.username : `${it.username}@${it.domain}`)
        return {
          records: [...tables.accounts.values()].filter(
            (it) => ids.includes(it.id) || uris.includes(it.uri) || handles.includes(handleOf(it)),
          ),
        }
      }),
      handle(inboxHosts, async (_ctx, _viewer, { name }) => {
        const hostOf = (it: AccountRecord) => new URL(it.shared_inbox_url ?? it.inbox_url ?? '').host
        const all = [...tables.accounts.values()].filter((it) => it.domain !== null)
        const at = all.filter((it) => new URL(it.uri).host === name && it.domain !== name)
        return {
          hosts: [
            ...all.filter((it) => it.domain === name).map((it) => ({ host: hostOf(it), why: 'handle' as const })),
            ...at.map((it) => ({ host: hostOf(it), why: 'actor' as const })),
          ],
          domains: at.flatMap((it) => it.domain ?? []),
        }
      }),
      handle(collectionRecords, async (_ctx, _viewer, { ids = [] }) => ({
        records: tables.collections.filter((it) => ids.includes(it.id)),
      })),
      handle(localActors, async (_ctx, _viewer, { ids = [] }) => ({
        actors: [...tables.accounts.values()].filter((it) => ids.includes(it.id) && it.domain === null).map(actorOf),
      })),
      handle(followedElsewhere, async (_ctx, _viewer, { ids }) => ({
        ids: ids.filter((id) => tables.inboxes.get(id)?.length),
      })),
      handle(remoteInboxes, async (_ctx, _viewer, { author, after = '', limit }) => {
        await tables.before?.('inboxes')
        const all = (tables.inboxes.get(author) ?? []).filter((url) => url > after).sort()
        const inboxes = all.slice(0, limit)
        return { inboxes, next: all.length > limit ? (inboxes.at(-1) ?? null) : null }
      }),
      handle(blockerInboxes, async (_ctx, _viewer, { account }) => ({
        inboxes: tables.blockers.get(account) ?? [],
        next: null,
      })),
      handle(followerDigests, async (_ctx, _viewer, { account }) => ({
        comparable: tables.digests.has(account),
        digests: tables.digests.get(account) ?? {},
      })),
      handle(accountsAtInbox, async (_ctx, _viewer, { inbox }) => ({
        uris: [...tables.accounts.values()].filter((it) => it.inbox_url === inbox).map((it) => it.uri),
      })),
      handle(resolveAccount, async (_ctx, _viewer, { uri = '' }) => {
        tables.resolved.push(uri)
        return { record: null }
      }),
    ],
    announces: [
      accountChanged,
      accountMoved,
      accountRemoved,
      blockCreated,
      blockRemoved,
      followCreated,
      followRemoved,
      followRequested,
      followRequestRemoved,
    ],
    roles: { api: everything },
  }),
  createContext(base) {
    hold(base)
    return base
  },
})

const actorOf = (it: AccountRecord): LocalActor => ({
  ...it,
  note: '<p>bio</p>',
  fields: [],
  publicPem: 'PEM',
  avatar: null,
  header: null,
  hide_collections: false,
  memorial: false,
  show_featured: true,
  show_media: true,
  show_media_replies: true,
  also_known_as: [],
  attribution_domains: [],
  followers_count: 0,
  following_count: 0,
  statuses_count: 0,
})

const statusesOf = (tables: Tables, hold: (base: BaseContext) => void): App => ({
  manifest: service('statuses', {
    operations: [
      handle(featuredTagNames, async () => ({ tags: [] })),
      handle(recentlyMentioned, async (_ctx, _viewer, { author }) => ({
        accounts: [...tables.sources.values()]
          .filter((it) => it.author === author)
          .flatMap((it) => it.mention_accounts.map(({ id }) => id)),
      })),
      handle(statusSources, async (_ctx, _viewer, { ids }) => ({
        sources: ids.flatMap((id) => tables.sources.get(id) ?? []),
      })),
      handle(statusRecords, async (_ctx, _viewer, { ids = [], uris = [] }) => ({
        records: [...tables.sources.values()].filter((it) => ids.includes(it.id) || uris.includes(it.uri)),
      })),
      handle(ownStatusIds, async (_ctx, _viewer, { author, after = '0', limit }) => ({
        ids: [...tables.sources.values()]
          .filter((it) => it.author === author && !it.deleted)
          .filter((it) => tables.hasOlderStatuses || BigInt(it.id) > BigInt(after))
          .map((it) => it.id)
          .slice(0, limit),
      })),
      handle(localBoosts, async (_ctx, _viewer, { status, limit, author }) => ({
        boosts: [...tables.sources.values()]
          .filter((it) => it.reblog_of === status && it.local && !it.deleted)
          .filter((it) => tables.hasOlderStatuses || author === undefined || it.author === author)
          .reverse()
          .slice(0, limit),
      })),
    ],
    announces: [
      favouriteCreated,
      favouriteRemoved,
      pollEnded,
      pollVoted,
      quoteRequested,
      statusCreated,
      statusDeleted,
      statusEdited,
      statusPinned,
      statusUnpinned,
    ],
    roles: { api: everything },
  }),
  createContext(base) {
    hold(base)
    return base
  },
})

const adminOf = (hold: (base: BaseContext) => void): App => ({
  manifest: service('admin', { announces: [reportFiled], writesPolicy: true, roles: { api: everything } }),
  createContext(base) {
    hold(base)
    return base
  },
})

export interface SiblingServices extends Cluster {
  readonly tables: Tables
  /** The running federation service. */
  readonly ours: BaseContext
  announce<E extends AnyEvent>(event: E, data: z.input<E['data']>): Promise<void>
  block(...domains: string[]): Promise<void>
  /** Moves the clock of all services, in milliseconds from the real time. */
  moveTo(offsetMs: number): void
  nextId(): string
}

const key = makeRsaKeys()

/** Starts the services. `roles`: roles of federation; all if absent. */
export const startSiblingServices = async (
  env: Record<string, string> = {},
  roles: readonly string[] = Object.keys(federation.manifest.roles),
): Promise<SiblingServices> => {
  const bases = new Map<string, BaseContext>()
  const hold = (name: string) => (base: BaseContext) => void bases.set(name, base)
  const tables: Tables = {
    accounts: new Map(),
    inboxes: new Map(),
    blockers: new Map(),
    digests: new Map(),
    keys: new Map(),
    sources: new Map(),
    hasOlderStatuses: false,
    collections: [],
    resolved: [],
    keyQuestions: 0,
    before: null,
  }
  const cluster = await startCluster({
    apps: [
      accountsOf(tables, hold('accounts')),
      statusesOf(tables, hold('statuses')),
      adminOf(hold('admin')),
      {
        manifest: {
          ...federation.manifest,
          roles: Object.fromEntries(Object.entries(federation.manifest.roles).filter(([role]) => roles.includes(role))),
        },
        createContext: federation.createContext,
      },
    ],
    env: { OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', DELIVERY_TIMEOUT_MS: '10000', ...env },
  })
  const baseOf = (name: string) => bases.get(name) as BaseContext
  const oursNow = () => cluster.host.running.find((one) => one.service === 'federation')?.ctx as BaseContext
  let revision = 0
  const harness: SiblingServices = Object.assign(Object.create(cluster) as Cluster, {
    tables,
    ours: oursNow(),
    async announce<E extends AnyEvent>(event: E, data: z.input<E['data']>) {
      const base = baseOf(event.service)
      await base.db.tx((tx) => base.announce(tx, event, data))
    },
    async block(...domains: string[]) {
      const base = baseOf('admin')
      const bucket = openPolicyBucket(base.nc, await jetstreamManager(base.nc, { checkAPI: false }), { replicas: 1 })
      const rule = (domain: string): DomainRule => ({
        domain,
        severity: 'suspend',
        reject_media: false,
        reject_reports: false,
      })
      const at = await bucket.position()
      const chunk = await bucket.write(
        'domains.0',
        JSON.stringify({ blocks: domains.map(rule), allows: [] }),
        at.sequence,
      )
      const head = { settings: InstanceSettings.parse({}), chunks: 1, rev: String(++revision) }
      await bucket.write('settings', JSON.stringify(head), chunk ?? 0)
      const isThere = () => oursNow().policy.loaded() && domains.every((one) => oursNow().policy.domainRule(one))
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    moveTo: (offsetMs: number) => oursNow().clock.moveTo(offsetMs),
    nextId: () => baseOf('statuses').ids.next(),
  })
  await harness.block()
  return harness
}

/** A local account with a key. */
export const createAccount = async (harness: SiblingServices, name: string): Promise<AccountRecord> => {
  const id = harness.nextId()
  const { publicKey: publicKeyPem, privateKey: privateKeyPem } = await key
  const record = recordOf(id, name, `${harness.ours.site.origin}/ap/users/${id}`)
  harness.tables.accounts.set(id, record)
  harness.tables.keys.set(id, { keyId: `${record.uri}#main-key`, privatePem: privateKeyPem, publicPem: publicKeyPem })
  return record
}

/** A remote account. */
export const remoteAccount = (
  harness: SiblingServices,
  actor: { name: string; id: string; inbox: string },
  sharedInbox: string | null = null,
): AccountRecord => {
  const record: AccountRecord = {
    ...recordOf(harness.nextId(), actor.name, actor.id),
    domain: new URL(actor.id).host,
    inbox_url: actor.inbox,
    shared_inbox_url: sharedInbox,
  }
  harness.tables.accounts.set(record.id, record)
  return record
}

const recordOf = (id: string, username: string, uri: string): AccountRecord => ({
  id,
  username,
  domain: null,
  uri,
  url: uri,
  acct: username,
  display_name: username,
  locked: false,
  bot: false,
  discoverable: true,
  indexable: true,
  silenced: false,
  suspended: false,
  sensitized: false,
  usable: true,
  created_at: '2026-01-01T00:00:00.000Z',
  inbox_url: null,
  shared_inbox_url: null,
  followers_url: null,
  moved_to_id: null,
})

/** Stores a status of an account, as the statuses service returns it. */
export const written = (harness: SiblingServices, author: AccountRecord, more: Partial<NoteData> = {}): NoteData => {
  const id = more.id ?? harness.nextId()
  const source: NoteData = {
    id,
    uri: `${author.uri}/statuses/${id}`,
    url: `${author.uri}/${id}`,
    author: author.id,
    local: true,
    visibility: 'public',
    reblog_of: null,
    reblog_of_author: null,
    reblog_of_uri: null,
    in_reply_to: null,
    in_reply_to_author: null,
    in_reply_to_uri: null,
    conversation: id,
    conversation_uri: null,
    mentions: [],
    mention_accounts: [],
    created_at: harness.ours.clock.date().toISOString(),
    deleted: false,
    html: `<p>${id}</p>`,
    text: id,
    spoiler_text: '',
    sensitive: false,
    language: 'en',
    edited_at: null,
    quote: null,
    may_quote: [],
    tags: [],
    attachments: [],
    poll: null,
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    ...more,
  }
  harness.tables.sources.set(id, source)
  return source
}

const base = (it: NoteData) => ({
  id: it.id,
  author: it.author,
  local: true,
  visibility: it.visibility,
  reblogOf: it.reblog_of,
  reblogOfAuthor: it.reblog_of_author,
  reblogOfLocal: false,
  mentions: it.mention_accounts.map((one) => one.id),
  tags: it.tags,
  hasMedia: false,
})

export const announceCreated = (harness: SiblingServices, it: NoteData): Promise<void> =>
  harness.announce(statusCreated, {
    ...base(it),
    uri: it.uri,
    inReplyTo: it.in_reply_to,
    inReplyToAuthor: it.in_reply_to_author,
    conversation: it.conversation,
    language: it.language,
    quotedAuthor: it.quote?.author ?? null,
    push: true,
  })
export const announceEdited = (harness: SiblingServices, it: NoteData): Promise<void> => {
  const edited = { ...it, edited_at: harness.ours.clock.date().toISOString() }
  harness.tables.sources.set(it.id, edited)
  return harness.announce(statusEdited, { ...base(it), editedAt: edited.edited_at })
}
export const announceDeleted = (harness: SiblingServices, it: NoteData): Promise<void> => {
  harness.tables.sources.set(it.id, { ...it, deleted: true, deleted_at: harness.ours.clock.date().toISOString() })
  return harness.announce(statusDeleted, {
    ...base(it),
    uri: it.uri,
    inReplyTo: it.in_reply_to,
    createdAt: it.created_at,
  })
}
/** Stores a status and sends its event. */
export const posted = async (
  harness: SiblingServices,
  author: AccountRecord,
  more: Partial<NoteData> = {},
): Promise<NoteData> => {
  const it = written(harness, author, more)
  await announceCreated(harness, it)
  return it
}
