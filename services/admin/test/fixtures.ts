/** Fixtures of the fake services: accounts, collections and statuses. */
import type { Account, AdminAccount, Status } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES, effectivePermissions } from '@murmuration/contracts/permissions'
import { viewer } from '@murmuration/testkit'

export interface FakeAccount {
  id: string
  username: string
  domain: string | null
  role: keyof typeof DEFAULT_ROLES | null
  disabled: boolean
  usable: boolean
  /** False while the sign-up waits for approval. */
  approved: boolean
  /** Stamps of the decisions; null without one. */
  silenced: string | null
  suspended: string | null
  sensitized: boolean
}

/** Data of the fake services, and all requests to them. */
export interface Fixtures {
  fakeAccounts: Map<string, FakeAccount>
  /** Collection id → account id of the owner. */
  collections: Map<string, string>
  /** Statuses by id: author, whether it is hidden, and the account to which it replies. */
  statuses: Map<string, { author: string; hidden: boolean; answers: string | null }>
  asked: { operation: string; input: Record<string, unknown> }[]
  /** Media types that media accepts. */
  mimeTypes: string[]
  /** Replaces members of the account counts. */
  accountCounts: { invitesEnabled?: boolean }
  /** Names of operations that do not respond. */
  away: Set<string>
}

const fakeAccount = (id: string, handle: string, more: Partial<FakeAccount> = {}): FakeAccount => {
  const [username = '', domain = null] = handle.split('@')
  const plain = { disabled: false, usable: true, approved: true, silenced: null, suspended: null, sensitized: false }
  return { id, username, domain, role: domain === null ? 'everyone' : null, ...plain, ...more }
}

export const fixtureAccounts = (): FakeAccount[] => [
  fakeAccount('11', 'mona', { role: 'moderator' }),
  fakeAccount('12', 'ada', { role: 'admin' }),
  fakeAccount('13', 'olga', { role: 'owner' }),
  fakeAccount('101', 'alice'),
  fakeAccount('102', 'bob'),
  fakeAccount('103', 'newcomer', { usable: false }),
  fakeAccount('201', 'eve@remote.example'),
  fakeAccount('202', 'rita@a.remote.example'),
  fakeAccount('203', 'server@other.example'),
]

/** The account as a viewer, with the permissions of its role. */
export const as = (one: FakeAccount): Viewer => {
  const role = DEFAULT_ROLES[one.role ?? 'everyone']
  return viewer(one.id, {
    permissions: effectivePermissions(role.permissions, DEFAULT_ROLES.everyone.permissions),
    position: role.position,
  })
}

const acctOf = (one: FakeAccount): string => (one.domain === null ? one.username : `${one.username}@${one.domain}`)

export const accountOf = (one: FakeAccount): Account => {
  const url = `https://${one.domain ?? 'here.example'}/@${one.username}`
  return {
    id: one.id,
    username: one.username,
    acct: acctOf(one),
    display_name: one.username,
    locked: false,
    bot: false,
    group: false,
    discoverable: null,
    indexable: false,
    created_at: '2026-01-02T00:00:00.000Z',
    note: '',
    url,
    uri: url,
    avatar: `${url}/avatar.png`,
    avatar_static: `${url}/avatar.png`,
    avatar_description: '',
    header: `${url}/header.png`,
    header_static: `${url}/header.png`,
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
    feature_approval: { automatic: [], manual: [], current_user: 'denied' },
  }
}

export const adminAccountOf = (one: FakeAccount): AdminAccount => {
  const local = one.domain === null
  return {
    id: one.id,
    username: one.username,
    domain: one.domain,
    created_at: '2026-01-02T00:00:00.000Z',
    email: local ? `${one.username}@mail.example` : null,
    ip: null,
    ips: [],
    locale: local ? 'en' : null,
    invite_request: null,
    role: null,
    confirmed: true,
    approved: local ? one.approved : null,
    disabled: one.disabled,
    silenced: one.silenced !== null,
    sensitized: one.sensitized,
    suspended: one.suspended !== null,
    account: accountOf(one),
  }
}

export const statusOf = (id: string, author: Account): Status => ({
  id,
  created_at: '2026-01-03T00:00:00.000Z',
  edited_at: null,
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  sensitive: false,
  spoiler_text: '',
  visibility: 'public',
  language: 'en',
  uri: `${author.uri}/statuses/${id}`,
  url: `${author.url}/${id}`,
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  quotes_count: 0,
  quote_approval: { automatic: [], manual: [], current_user: 'denied' },
  content: `<p>status ${id}</p>`,
  reblog: null,
  quote: null,
  application: null,
  account: author,
  media_attachments: [],
  mentions: [],
  tags: [],
  tagged_collections: [],
  emojis: [],
  card: null,
  poll: null,
})
