/** Fakes of other services, which respond from tables: accounts, relationships, statuses. */
import * as accounts from '@murmuration/contracts/accounts'
import * as admin from '@murmuration/contracts/admin'
import type { Account, Status } from '@murmuration/contracts/entities'
import * as federation from '@murmuration/contracts/federation'
import { type AnyEvent, type AnyOperation, type Event, type Json, olderNames, toJson } from '@murmuration/contracts/kit'
import * as statuses from '@murmuration/contracts/statuses'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { type Cluster, liveListener, startCluster } from '@murmuration/testkit'
import type { z } from 'zod'
import { app as notifications } from '../src/main.js'

const { handle } = handlersFor<BaseContext>()

export type FakeAccount = Partial<accounts.AccountRecord> & { id: string; username: string; note?: string }
export interface Text {
  id: string
  author: string
  text?: string
  warning?: string
  /** True if the status is hidden from all viewers. */
  hidden?: boolean
}

const record = (fakeAccount: FakeAccount): accounts.AccountRecord => {
  const { note: _note, ...rest } = fakeAccount
  const domain = rest.domain ?? null
  const origin = `https://${domain ?? 'here.example'}`
  return {
    uri: `${origin}/users/${rest.username}`,
    url: `${origin}/@${rest.username}`,
    acct: domain ? `${rest.username}@${domain}` : rest.username,
    display_name: '',
    locked: false,
    bot: false,
    discoverable: true,
    indexable: true,
    silenced: false,
    suspended: false,
    sensitized: false,
    usable: true,
    created_at: '2020-01-01T00:00:00.000Z',
    inbox_url: null,
    shared_inbox_url: null,
    followers_url: null,
    moved_to_id: null,
    ...rest,
    domain,
  }
}

const accountCard = (fakeAccount: FakeAccount): Json<Account> => {
  const { id, username, acct, display_name, locked, bot, discoverable, indexable, created_at, url, uri } =
    record(fakeAccount)
  const picture = `https://here.example/pictures/${username}.png`
  return toJson<Account>({
    ...{ id, username, acct, display_name, locked, bot, discoverable, indexable, created_at, url, uri },
    group: false,
    note: fakeAccount.note ?? '',
    avatar: picture,
    avatar_static: picture,
    avatar_description: '',
    header: picture,
    header_static: picture,
    header_description: '',
    followers_count: 0,
    following_count: 0,
    statuses_count: 0,
    last_status_at: null,
    hide_collections: null,
    show_media: true,
    show_media_replies: true,
    show_featured: true,
    emojis: [],
    fields: [],
    feature_approval: { automatic: [], manual: [], current_user: 'missing' },
  })
}

const statusCard = (one: Text, author: FakeAccount): Json<Status> =>
  toJson<Status>({
    id: one.id,
    created_at: '2026-01-02T03:04:05.678Z',
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    sensitive: false,
    spoiler_text: one.warning ?? '',
    visibility: 'public',
    language: 'en',
    uri: `https://here.example/users/${author.username}/statuses/${one.id}`,
    url: `https://here.example/@${author.username}/${one.id}`,
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
    edited_at: null,
    account: JSON.parse(accountCard(author)) as Account,
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
    quote: null,
    quote_approval: { automatic: [], manual: [], current_user: 'denied' },
    tagged_collections: [],
    content: `<p>${one.text ?? 'Hello'}</p>`,
    reblog: null,
  })

const apart: accounts.AccountRelationship = {
  following: false,
  showing_reblogs: false,
  followed_by: false,
  followed_by_since: null,
  requested: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  domain_blocking: false,
}

/** Tables that tests fill and change while the services run. */
const createTables = () => ({
  fakeAccounts: new Map<string, FakeAccount>(),
  /** `viewer>author` → differences from unrelated accounts. */
  relationships: new Map<string, Partial<accounts.AccountRelationship>>(),
  texts: new Map<string, Text>(),
  /** Author → followers with notifications of its statuses. */
  notified: new Map<string, string[]>(),
  /** Permission → staff. */
  staff: new Map<string, string[]>(),
  /** Status → viewers who muted its thread; and in `wrote`, viewers who wrote the sender in it. */
  muted: new Map<string, string[]>(),
  wrote: new Map<string, string[]>(),
  boosters: new Map<string, string[]>(),
  /** Status → accounts that quote it, each with the quoting status. */
  quoters: new Map<string, { account: string; status: string }[]>(),
  /** Poll → voters. */
  voters: new Map<string, string[]>(),
  /** Polls that have not ended, also after an edit of an ended poll. */
  running: new Set<string>(),
  /** E-mails about logins by id. */
  loginMails: new Map<string, accounts.LoginMail>(),
  /** Account → e-mail address and language. */
  addresses: new Map<string, accounts.Addressed>(),
  /** Account → language of its user. If empty, the response has no languages, like that of an earlier release. */
  locales: new Map<string, string>(),
  /** Accounts whose login is disabled. */
  disabled: new Set<string>(),
  /** Accounts with an open stream. */
  listening: new Set<string>(),
  /** Called before relationships to an author are read. */
  beforeRelationships: async () => {},
})
type Tables = ReturnType<typeof createTables>

const relationship = (tables: Tables, viewer: string, author: string): accounts.AccountRelationship => ({
  ...apart,
  ...tables.relationships.get(`${viewer}>${author}`),
})
const pageOf = (ids: readonly string[], after: string | undefined, limit: number) => {
  const from = after === undefined ? 0 : ids.indexOf(after) + 1
  const page = ids.slice(from, from + limit)
  return { page, next: from + limit < ids.length ? (page.at(-1) ?? null) : null }
}

const accountEntries = (tables: Tables) => [
  handle(accounts.openLoginMail, async (_ctx, _viewer, { id }) => ({ letter: tables.loginMails.get(id) ?? null })),
  handle(accounts.loginsUsable, async (_ctx, _viewer, { ids }) => ({
    usable: ids.filter((id) => !tables.disabled.has(id)),
    ...(tables.locales.size > 0 ? { locales: Object.fromEntries(tables.locales) } : {}),
  })),
  handle(accounts.emailPage, async (_ctx, _viewer, { after, limit }) => {
    const { page, next } = pageOf([...tables.addresses.keys()], after, limit)
    return { ids: page, next }
  }),
  handle(accounts.emailsOf, async (_ctx, _viewer, { ids }) => ({
    people: ids.flatMap((id) => tables.addresses.get(id) ?? []),
  })),
  handle(
    accounts.accountCards,
    async (_ctx, _viewer, { ids }) =>
      new Map(
        ids.flatMap((id) =>
          tables.fakeAccounts.has(id) ? [[id, accountCard(tables.fakeAccounts.get(id)!)] as const] : [],
        ),
      ),
  ),
  handle(accounts.accountRecords, async (_ctx, _viewer, { ids = [] }) => ({
    records: ids.flatMap((id) => (tables.fakeAccounts.has(id) ? [record(tables.fakeAccounts.get(id)!)] : [])),
  })),
  handle(accounts.listViewerRelationships, async (_ctx, _viewer, { viewer, authors }) => ({
    [olderNames.relationships]: Object.fromEntries(authors.map((id) => [id, relationship(tables, viewer, id)])),
  })),
  handle(accounts.listRelationshipsToAuthor, async (_ctx, _viewer, { author, viewers }) => {
    const relationships = Object.fromEntries(viewers.map((id) => [id, relationship(tables, id, author)]))
    await tables.beforeRelationships()
    return { [olderNames.relationships]: relationships }
  }),
  handle(accounts.refusals, async (_ctx, _viewer, { viewers, authors }) => ({
    refused: Object.fromEntries(
      viewers.map((id) => [id, authors.filter((other) => relationship(tables, id, other).blocking)]),
    ),
  })),
  handle(accounts.audience, async (_ctx, _viewer, { author, after, limit = 1_000 }) => {
    const { page, next } = pageOf(tables.notified.get(author) ?? [], after, limit)
    return { followers: page.map((id) => ({ id, reblogs: true, notify: true, languages: null, lists: [] })), next }
  }),
  handle(accounts.rolesOf, async (_ctx, _viewer, { permission }) => ({
    accountIds: tables.staff.get(permission) ?? [],
  })),
]

const statusEntries = (tables: Tables) => [
  handle(
    statuses.renderByIds,
    async (_ctx, _viewer, { ids }) =>
      new Map(
        ids.flatMap((id) => {
          const one = tables.texts.get(id)
          const author = one && tables.fakeAccounts.get(one.author)
          return one && author && !one.hidden ? [[id, statusCard(one, author)] as const] : []
        }),
      ),
  ),
  handle(statuses.threadStates, async (_ctx, _viewer, { status, viewers }) => ({
    muted: (tables.muted.get(status) ?? []).filter((id) => viewers.includes(id)),
    wrote: (tables.wrote.get(status) ?? []).filter((id) => viewers.includes(id)),
  })),
  handle(statuses.listeningAccounts, async (_ctx, _viewer, { accounts: ids }) => ({
    listening: ids.filter((id) => tables.listening.has(id)),
  })),
  handle(statuses.localBoosters, async (_ctx, _viewer, { status, after, limit = 1_000 }) => {
    const { page, next } = pageOf(tables.boosters.get(status) ?? [], after, limit)
    return { accounts: page, next }
  }),
  handle(statuses.localQuoters, async (_ctx, _viewer, { status }) => ({
    quotes: tables.quoters.get(status) ?? [],
    next: null,
  })),
  handle(statuses.pollVoters, async (_ctx, _viewer, { poll, after, limit = 1_000 }) => {
    const { page, next } = pageOf(tables.voters.get(poll) ?? [], after, limit)
    return { accounts: page, next, ...(tables.running.has(poll) ? { running: true as const } : {}) }
  }),
]

const eventsIn = (module: object): AnyEvent[] =>
  Object.values(module).filter((one) => (one as { kind?: unknown } | null)?.kind === 'event')

const floor = (name: string, contracts: object, operations: ReturnType<typeof accountEntries>): App => ({
  manifest: service(name, {
    operations,
    announces: eventsIn(contracts),
    roles: { api: { operations: true, ticks: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})

export interface Harness extends Tables {
  readonly cluster: Cluster
  /** Live messages, with the account id. */
  readonly live: { account: string; message: unknown }[]
  /** Announces an event as its service does, and waits until all its effects are done. */
  announce<E extends Event>(event: E, ...data: z.input<E['data']>[]): Promise<void>
  stop(): Promise<void>
}

/** Starts notifications with fakes of the lower services. */
export const startHarness = async (env: Record<string, string> = {}, more: readonly App[] = []): Promise<Harness> => {
  const tables = createTables()
  const live: Harness['live'] = []
  const listener = liveListener('live.user.*', (message, subject) =>
    live.push({ account: subject.replace('live.user.', ''), message }),
  )
  const cluster = await startCluster({
    apps: [
      floor('accounts', accounts, accountEntries(tables)),
      floor('statuses', statuses, statusEntries(tables)),
      floor('admin', admin, []),
      floor('federation', federation, []),
      listener,
      notifications,
      ...more,
    ],
    env,
  })
  const ownerOf = (event: AnyOperation | AnyEvent): BaseContext =>
    cluster.host.running.find((one) => one.service === event.service)!.ctx
  return Object.assign(tables, {
    cluster,
    live,
    async announce<E extends Event>(event: E, ...data: z.input<E['data']>[]) {
      const owner = ownerOf(event)
      await owner.db.tx((tx) => owner.announce(tx, event, ...data))
      await cluster.waitForIdle()
    },
    stop: () => cluster.stop(),
  })
}
