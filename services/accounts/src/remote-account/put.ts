/** Storing what federation verified about a remote account: pictures first, then one transaction with the event. */
import {
  accountChanged,
  accountHint,
  accountRebuilt,
  handOverJob,
  picturesReplaced,
  type RemoteActor,
  remoteRead,
  renewFollowsJob,
  syncCollectionsJob,
  verifyLinksJob,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { remoteAddress } from '@murmuration/text'
import type { Context } from '../context.js'
import { type AccountRow, accountById, accountsByUris } from '../core/account.store.js'
import { isFollowedHere } from '../core/follow-page.store.js'
import { lockName } from '../core/lock.store.js'
import { namesOf, putNames } from '../core/name.store.js'
import { flagsOf } from '../core/record.js'
import { REMOTE_REST_MS } from '../core/remote.rules.js'
import { keepProofs } from '../core/verified-link.rules.js'
import { hasOtherKeys, putRemoteKeys } from './key.store.js'
import { type RemotePictures, remotePicturesOf } from './pictures.js'
import { type DomainRuleFacts, linksAreDue, refusalOfActor, stampOfRule, stricterRule, tellable } from './rules.js'
import {
  freeHandle,
  joinMoves,
  moveInbox,
  type RemoteProfile,
  recordBeginning,
  remotePictures,
  upsertRemote,
} from './store.js'

const MOST_FIELDS = 50
const MOST_ALIASES = 256

type Storing = Pick<
  Context,
  'db' | 'call' | 'log' | 'clock' | 'ids' | 'announce' | 'queue' | 'hints' | 'policy' | 'site'
>

const profileOf = (
  actor: RemoteActor,
  more: {
    id: string
    pictures: RemotePictures
    silencedBy: string | null
    at: Date
    begunAt: Date
    before: AccountRow | undefined
  },
): RemoteProfile => ({
  id: more.id,
  uri: actor.uri,
  username: actor.username,
  domain: actor.domain,
  type: actor.type,
  url: actor.url,
  displayName: actor.display_name,
  noteHtml: actor.note,
  fields: keepProofs(actor.fields.slice(0, MOST_FIELDS), more.before?.fields_html ?? []),
  emojis: more.pictures.emojis,
  avatar: more.pictures.avatar,
  avatarDescription: actor.avatar_description,
  avatarRemoteUrl: actor.avatar_url,
  header: more.pictures.header,
  headerDescription: actor.header_description,
  headerRemoteUrl: actor.header_url,
  locked: actor.locked,
  discoverable: actor.discoverable,
  indexable: actor.indexable,
  hideCollections: actor.hide_collections,
  memorial: actor.memorial,
  showFeatured: actor.show_featured ?? true,
  showMedia: actor.show_media ?? true,
  showMediaReplies: actor.show_media_replies ?? true,
  attributionDomains: actor.attribution_domains ?? [],
  alsoKnownAs: actor.also_known_as.slice(0, MOST_ALIASES),
  movedToUri: actor.moved_to,
  inboxUrl: actor.inbox_url,
  sharedInboxUrl: actor.shared_inbox_url,
  outboxUrl: actor.outbox_url,
  followersUrl: actor.followers_url,
  followingUrl: actor.following_url,
  featuredUrl: actor.featured_url,
  featuredTagsUrl: actor.featured_tags_url ?? null,
  featuredCollectionsUrl: actor.featured_collections_url ?? null,
  featurePolicy: actor.feature_policy ?? null,
  followersCount: tellable(actor.followers_count),
  followingCount: tellable(actor.following_count),
  statusesCount: tellable(actor.statuses_count),
  silencedBy: more.silencedBy,
  suspended: actor.suspended,
  // A new account has no earlier activity.
  createdAt: actor.published === null ? more.at : new Date(Math.min(Date.parse(actor.published), more.at.getTime())),
  at: more.at,
  readAt: more.begunAt,
})

/** Pictures that media has no address for yet keep the one they had, when they are still the same. */
const kept = (pictures: RemotePictures, actor: RemoteActor, known: Awaited<ReturnType<typeof remotePictures>>) => ({
  ...pictures,
  avatar: pictures.avatar ?? (known?.avatar_remote_url === actor.avatar_url ? (known?.avatar ?? null) : null),
  header: pictures.header ?? (known?.header_remote_url === actor.header_url ? (known?.header ?? null) : null),
})

/**
 * Queues that our follows of it are said anew, and says that it began again. Like a move this is believed once in seven days:
 * who makes key after key has us send no more than that.
 */
const startAgain = async (
  ctx: Pick<Storing, 'announce' | 'queue' | 'clock' | 'ids'>,
  tx: Tx,
  account: string,
): Promise<void> => {
  const now = ctx.clock.date()
  if (!(await recordBeginning(tx, account, now, new Date(now.getTime() - REMOTE_REST_MS)))) return
  await ctx.announce(tx, accountRebuilt, { id: account })
  await ctx.queue(
    tx,
    renewFollowsJob,
    { account, which: 'follows', after: '0', run: ctx.ids.next() },
    { account, which: 'follow_requests', after: '0', run: ctx.ids.next() },
  )
}

/** The rule that holds for its server now. Throws `forbidden` when it claims to be ours or its server is blocked. */
const ruleFor = (ctx: Storing, actor: RemoteActor): DomainRuleFacts | null => {
  const rule = stricterRule(ctx.policy.domainRule(actor.domain), ctx.policy.domainRule(new URL(actor.uri).host))
  if (refusalOfActor(actor, ctx.site, rule)) throw fail('forbidden', 'This action is not allowed')
  return rule
}

/** How an actor was read. */
export interface Reading {
  /** It told of itself, signed with a key known before. */
  announced?: boolean | undefined
  /** Its account was here when the reading began. */
  wasHere?: boolean | undefined
  /** When the reading began, where it may have taken long. */
  begunAt?: Date | undefined
}

/** Old pictures that the account no longer shows. Media stores a picture once for all spellings of its address. */
const replacedOf = (
  { site }: Pick<Storing, 'site'>,
  known: Awaited<ReturnType<typeof remotePictures>>,
  actor: RemoteActor,
) => {
  const addressOf = (url: string | null) =>
    url === null ? null : remoteAddress(url, [site.localDomain, site.webDomain])
  const isReplaced = (old: string, now: string | null) => addressOf(old) !== addressOf(now)
  const { avatar_remote_url: avatar = null, header_remote_url: header = null } = known ?? {}
  return [
    ...(avatar !== null && isReplaced(avatar, actor.avatar_url) ? [{ kind: 'avatar' as const, remote: avatar }] : []),
    ...(header !== null && isReplaced(header, actor.header_url) ? [{ kind: 'header' as const, remote: header }] : []),
  ]
}

/**
 * Stores or refreshes a remote account. Returns null if the account was removed during the fetch. Throws `forbidden` if it claims
 * to be local or its server is blocked.
 *
 * | Case | Effect |
 * |---|---|
 * | all keys are new, and none of the old ones announced them | its server was reset: local follows are sent again |
 * | another actor had the handle | that actor is fetched again |
 * | the fetch began before the stored version was fetched | nothing changes |
 */
export const storeRemote = async (ctx: Storing, actor: RemoteActor, how: Reading = {}): Promise<AccountRow | null> => {
  ruleFor(ctx, actor)
  const { announced = false, begunAt = ctx.clock.date() } = how
  const known = await remotePictures(ctx.db, actor.uri)
  const id = known?.id ?? ctx.ids.next()
  const pictures = kept(await remotePicturesOf(ctx, id, actor), actor, known)

  return ctx.db.tx(async (tx) => {
    // Two readings of one actor, or two actors of one name, follow one another.
    await lockName(tx, `actor ${actor.uri}`)
    await lockName(tx, `handle ${actor.username.toLowerCase()}@${actor.domain}`)
    // Its server may have been blocked meanwhile.
    const rule = ruleFor(ctx, actor)
    const silencedBy = rule?.severity === 'silence' ? stampOfRule(rule) : null
    const [before] = await accountsByUris(tx, [actor.uri])
    if (!before && (how.wasHere || known !== null)) return null
    if (how.begunAt && before?.fetched_at && before.fetched_at > how.begunAt) return before
    const displaced = await freeHandle(tx, actor)
    const { id: stored, fresh } = await upsertRemote(
      tx,
      profileOf(actor, { id, pictures, silencedBy, at: ctx.clock.date(), begunAt, before }),
    )
    const beganAgain = !announced && (await hasOtherKeys(tx, stored, actor.keys))
    await putRemoteKeys(tx, stored, actor.keys)
    if (beganAgain) await startAgain(ctx, tx, stored)
    await joinMoves(tx, stored, actor.uri)
    const inbox = actor.shared_inbox_url ?? actor.inbox_url
    if (before && (before.shared_inbox_url ?? before.inbox_url) !== inbox) await moveInbox(tx, stored, inbox)
    const row = await accountById(tx, stored)
    if (!row) throw new Error('a stored account is gone')
    await putNames(tx, [row, ...(await namesOf(tx, displaced))])
    if (!fresh && before && JSON.stringify(flagsOf(before)) !== JSON.stringify(flagsOf(row)))
      await ctx.announce(tx, accountChanged, { id: stored, flags: flagsOf(row), profile: false })
    const replaced = replacedOf(ctx, known, actor)
    if (replaced.length > 0) await ctx.announce(tx, picturesReplaced, { owner: stored, pictures: replaced })
    await ctx.queue(tx, handOverJob, ...displaced.map((from) => ({ from, to: stored })))
    const featuredTags = actor.featured_tags_url
    const pins = announced && Boolean(actor.featured_url)
    if (featuredTags || pins)
      await ctx.announce(tx, remoteRead, { id: stored, ...(featuredTags && { featuredTags }), ...(pins && { pins }) })
    const collections = actor.featured_collections_url
    if (collections && (await isFollowedHere(tx, stored)))
      await ctx.queue(tx, syncCollectionsJob, { account: stored, url: collections })
    if (linksAreDue(row.fields_html, before, ctx.clock.now())) await ctx.queue(tx, verifyLinksJob, { account: stored })
    tx.onCommit(() => ctx.hints.send(accountHint, [stored]))
    return row
  })
}
