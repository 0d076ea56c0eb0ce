/** Accounts, relationships and files for the fake services, in memory, changed by tests. */
import type { AccountRecord, AccountRelationship } from '@murmuration/contracts/accounts'
import type { Account, Collection, Visibility } from '@murmuration/contracts/entities'
import type { FetchedNote } from '@murmuration/contracts/federation'
import type { AttachmentRecord } from '@murmuration/contracts/media'

export interface FakeAccount extends AccountRecord {
  /** The login is disabled. */
  disabled: boolean
  defaults: {
    visibility: Visibility
    sensitive: boolean
    language: string
    quote_policy: 'public' | 'followers' | 'nobody'
    show_application: boolean
    chosen_languages: string[] | null
    aggregate_reblogs: boolean
    time_zone?: string | null
  }
  active: boolean
}
export interface Follow {
  reblogs: boolean
  notify: boolean
  languages: string[] | null
}
export interface List {
  id: string
  owner: string
  members: string[]
  exclusive: boolean
  replies: 'list' | 'followed' | 'none'
}
export interface File extends AttachmentRecord {
  owner: string
  status: string | null
  ready: boolean
}

const pair = (from: string, to: string): string => `${from}>${to}`
let last = Date.now()

/** Data of all fake services. One for each cluster. */
export class FakeData {
  readonly fakeAccounts = new Map<string, FakeAccount>()
  /** Public collections. */
  readonly collections = new Map<string, Collection>()
  readonly follows = new Map<string, Follow>()
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  /** Mutes that do not cover notifications. */
  readonly notifyingMutes = new Set<string>()
  readonly domainBlocks = new Set<string>()
  readonly lists = new Map<string, List>()
  readonly files = new Map<string, File>()
  /** Maximum number of followers in a page of an audience. */
  audiencePage = 1_000
  /** Attachments that the media service asks to check. */
  reservedFiles: { id: string; owner: string; status: string; since: string }[] = []
  /** Responses of other servers, by address or handle. */
  readonly outside = new Map<string, FakeAccount | FetchedNote>()
  /** Addresses whose server responds 410. */
  readonly gone = new Set<string>()
  /** Addresses whose server does not respond. */
  readonly away = new Set<string>()
  /** Addresses that a rate limit of this server does not allow to request now. */
  readonly limited = new Set<string>()
  /** Addresses whose server refuses requests. */
  readonly refusing = new Set<string>()
  /** Featured hashtags of remote accounts, by the address of the list. */
  readonly featured = new Map<string, string[]>()
  /**
   * Statuses in remote collections, by address of the collection. Replies to a status are listed under its own address.
   */
  readonly listed = new Map<string, string[]>()
  /** Collections of which only the first pages are read: their next page, and whether a page failed. */
  readonly unfinished = new Map<string, { next: string | null; partial: boolean }>()
  /** Quote approvals on other servers, by address: `<uri> quotes <uri>`. */
  readonly authorizations = new Map<string, string>()
  /** Accounts that allow a host to credit them: `<id> <host>`. */
  readonly credits = new Set<string>()
  /** Ids of imports for which bookmarks are still to be removed, and the reports of all imports without their rows. */
  readonly removalsDue = new Set<string>()
  readonly importReports: {
    id: string
    cleared: boolean
    clear_failed?: boolean | undefined
    restart?: boolean | undefined
    later?: { n: number; limited?: boolean | undefined; problem?: string | undefined }[] | undefined
  }[] = []
  /** Ids of imports that send rows again whose server did not respond. */
  readonly repeating = new Set<string>()
  /** Filters of imports as JSON, by import, and the reported outcomes. */
  readonly filterFiles = new Map<string, string[]>()
  readonly reported = new Map<string, { n: number; imported: boolean; problem?: string | undefined }[]>()
  /** Makes accounts respond as if very many accounts blocked or muted the named ones. */
  manyHidden = false
  /** Received requests, by operation. */
  readonly asked: string[] = []

  nextId(): string {
    last += 1
    return (BigInt(last) << 16n).toString()
  }

  fakeAccount(username: string, more: Partial<FakeAccount> = {}, known = true): FakeAccount {
    const id = this.nextId()
    const domain = more.domain ?? null
    const origin = domain === null ? 'http://here.example' : `https://${domain}`
    const fakeAccount: FakeAccount = {
      id,
      username,
      domain,
      uri: domain === null ? `${origin}/ap/users/${id}` : `${origin}/users/${username}`,
      url: `${origin}/@${username}`,
      acct: domain === null ? username : `${username}@${domain}`,
      display_name: username,
      locked: false,
      bot: false,
      discoverable: true,
      indexable: true,
      silenced: false,
      suspended: false,
      disabled: false,
      sensitized: false,
      usable: true,
      created_at: '2026-01-01T00:00:00.000Z',
      inbox_url: domain === null ? null : `${origin}/inbox`,
      shared_inbox_url: null,
      followers_url: `${origin}/followers`,
      moved_to_id: null,
      active: true,
      defaults: {
        visibility: 'public',
        sensitive: false,
        language: 'en',
        quote_policy: 'public',
        show_application: true,
        chosen_languages: null,
        aggregate_reblogs: true,
      },
      ...more,
    }
    if (known) this.fakeAccounts.set(id, fakeAccount)
    return fakeAccount
  }

  file(owner: Pick<FakeAccount, 'id'>, more: Partial<File> = {}): File {
    const id = this.nextId()
    const file: File = {
      id,
      type: 'image',
      media_type: 'image/png',
      url: `http://here.example/media/${id}.png`,
      remote_url: null,
      preview_url: null,
      description: null,
      blurhash: null,
      width: 10,
      height: 10,
      focus: null,
      owner: owner.id,
      status: null,
      ready: true,
      ...more,
    }
    this.files.set(id, file)
    return file
  }

  list(owner: FakeAccount, members: FakeAccount[], more: Partial<List> = {}): List {
    const list: List = {
      id: this.nextId(),
      owner: owner.id,
      members: members.map((one) => one.id),
      exclusive: false,
      replies: 'list',
      ...more,
    }
    this.lists.set(list.id, list)
    return list
  }

  follow(from: FakeAccount, to: FakeAccount, more: Partial<Follow> = {}): void {
    this.follows.set(pair(from.id, to.id), { reblogs: true, notify: false, languages: null, ...more })
  }
  unfollow(from: FakeAccount, to: FakeAccount): void {
    this.follows.delete(pair(from.id, to.id))
  }
  block(from: FakeAccount, to: FakeAccount): void {
    this.blocks.add(pair(from.id, to.id))
    this.unfollow(from, to)
    this.unfollow(to, from)
  }
  mute(from: FakeAccount, to: FakeAccount, notifications = true): void {
    this.mutes.add(pair(from.id, to.id))
    if (!notifications) this.notifyingMutes.add(pair(from.id, to.id))
  }

  relationship(viewer: string, author: string): AccountRelationship {
    const follow = this.follows.get(pair(viewer, author))
    const domain = this.fakeAccounts.get(author)?.domain
    return {
      following: follow !== undefined,
      showing_reblogs: follow?.reblogs ?? false,
      followed_by: this.follows.has(pair(author, viewer)),
      followed_by_since: null,
      requested: false,
      blocking: this.blocks.has(pair(viewer, author)),
      blocked_by: this.blocks.has(pair(author, viewer)),
      muting: this.mutes.has(pair(viewer, author)),
      muting_notifications: this.mutes.has(pair(viewer, author)) && !this.notifyingMutes.has(pair(viewer, author)),
      domain_blocking: domain ? this.domainBlocks.has(pair(viewer, domain)) : false,
    }
  }

  followersOf(author: string): [string, Follow][] {
    return [...this.follows].flatMap(([key, follow]) => {
      const [from = '', to] = key.split('>')
      return to === author && this.fakeAccounts.get(from)?.domain === null ? [[from, follow] as [string, Follow]] : []
    })
  }
  followeesOf(account: string): [string, Follow][] {
    return [...this.follows].flatMap(([key, follow]) => {
      const [from, to = ''] = key.split('>')
      return from === account ? [[to, follow] as [string, Follow]] : []
    })
  }
}

export const cardOf = (fakeAccount: FakeAccount): Account => ({
  id: fakeAccount.id,
  username: fakeAccount.username,
  acct: fakeAccount.acct,
  display_name: fakeAccount.display_name,
  locked: fakeAccount.locked,
  bot: fakeAccount.bot,
  group: false,
  discoverable: fakeAccount.discoverable,
  indexable: fakeAccount.indexable,
  created_at: '2026-01-01T00:00:00.000Z',
  note: '',
  url: fakeAccount.url,
  uri: fakeAccount.uri,
  avatar: 'http://here.example/avatars/original/missing.png',
  avatar_static: 'http://here.example/avatars/original/missing.png',
  avatar_description: '',
  header: 'http://here.example/headers/original/missing.png',
  header_static: 'http://here.example/headers/original/missing.png',
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
  feature_approval: { automatic: ['public'], manual: [], current_user: 'missing' },
})
