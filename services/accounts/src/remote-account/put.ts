/** Stores a remote account that the federation service verified: first its pictures, then one transaction with the row and the event. */
import {
  accountChanged,
  accountInvalidation,
  accountRebuilt,
  picturesReplaced,
  type RemoteActor,
  refreshRemoteJob,
  remoteRead,
  renewFollowsJob,
  syncCollectionsJob,
  transferFollowersJob,
  verifyLinksJob,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { requireLoaded } from '@murmuration/kernel'
import { readTime, remoteAddress } from '@murmuration/text'
import type { Context } from '../context.js'
import { accountAt } from '../core/account/find-by-address.js'
import { namesOf, putNames } from '../core/account/name.store.js'
import { flagsOf } from '../core/account/record.js'
import { REMOTE_COOLDOWN_MS } from '../core/account/remote.rules.js'
import { type AccountRow, accountById, accountsByUris } from '../core/account/store.js'
import { keepProofs } from '../core/account/verified-link.rules.js'
import { isFollowedHere } from '../core/follow/page.store.js'
import { lockNames } from '../core/lock.store.js'
import { NO_DECISIONS, takeStoredDecisions } from './decision.store.js'
import { hasOtherKeys, putRemoteKeys } from './key.store.js'
import { type RemotePictures, remotePicturesOf } from './pictures.js'
import {
  type AppliedDomainRule,
  clampCount,
  isStale,
  linksAreDue,
  refusalOfActor,
  stampOfRule,
  stricterRule,
} from './rules.js'
import {
  joinMoves,
  lockMoves,
  type MoveTarget,
  moveInbox,
  type RemoteProfile,
  recordBeginning,
  releaseHandle,
  rememberedTarget,
  remotePictures,
  upsertRemote,
} from './store.js'

const MAX_FIELDS = 50
const MAX_ALIASES = 256

type Storing = Pick<
  Context,
  | 'db'
  | 'call'
  | 'log'
  | 'clock'
  | 'ids'
  | 'announce'
  | 'queue'
  | 'invalidations'
  | 'policy'
  | 'site'
  | 'ownHosts'
  | 'allowsHttp'
>

const profileOf = (
  actor: RemoteActor,
  more: {
    id: string
    pictures: RemotePictures
    silencedBy: string | null
    formerBlock: string | null
    at: Date
    begunAt: Date
    before: AccountRow | undefined
    movedTo: string | null
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
  fields: keepProofs(actor.fields.slice(0, MAX_FIELDS), more.before?.fields_html ?? []),
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
  alsoKnownAs: actor.also_known_as.slice(0, MAX_ALIASES),
  movedToUri: more.movedTo,
  inboxUrl: actor.inbox_url,
  sharedInboxUrl: actor.shared_inbox_url,
  outboxUrl: actor.outbox_url,
  followersUrl: actor.followers_url,
  followingUrl: actor.following_url,
  featuredUrl: actor.featured_url,
  featuredTagsUrl: actor.featured_tags_url ?? null,
  featuredCollectionsUrl: actor.featured_collections_url ?? null,
  featurePolicy: actor.feature_policy ?? null,
  followersCount: clampCount(actor.followers_count),
  followingCount: clampCount(actor.following_count),
  statusesCount: clampCount(actor.statuses_count),
  silencedBy: more.silencedBy,
  formerBlock: more.formerBlock,
  suspended: actor.suspended,
  // A creation time in the future is replaced by the present time.
  createdAt: actor.published === null ? more.at : new Date(Math.min(readTime(actor.published), more.at.getTime())),
  at: more.at,
  readAt: more.begunAt,
})

/**
 * Pictures to store. If the media service returned no URL for a picture, the stored picture stays if the actor document
 * names the same source URL.
 */
const kept = (pictures: RemotePictures, actor: RemoteActor, known: Awaited<ReturnType<typeof remotePictures>>) => ({
  ...pictures,
  avatar: pictures.avatar ?? (known?.avatar_remote_url === actor.avatar_url ? (known?.avatar ?? null) : null),
  header: pictures.header ?? (known?.header_remote_url === actor.header_url ? (known?.header ?? null) : null),
})

/**
 * Announces that the server of a remote account was reset, and queues jobs that send Follow activities again. A reset is accepted once
 * in seven days, so that a server that changes its key repeatedly does not cause more activities.
 */
const startAgain = async (
  ctx: Pick<Storing, 'announce' | 'queue' | 'clock' | 'ids'>,
  tx: Tx,
  account: string,
): Promise<void> => {
  const now = ctx.clock.date()
  if (!(await recordBeginning(tx, account, now, new Date(now.getTime() - REMOTE_COOLDOWN_MS)))) return
  await ctx.announce(tx, accountRebuilt, { id: account })
  await ctx.queue(
    tx,
    renewFollowsJob,
    { account, which: 'follows', after: '0', run: ctx.ids.next() },
    { account, which: 'follow_requests', after: '0', run: ctx.ids.next() },
  )
}

/**
 * Returns the domain rule for the server of an actor. Throws `forbidden` if the actor claims to be local or its server is
 * blocked, and `unavailable` while the instance policy is not loaded. An account that is stored without the rule of its
 * server would stay unlimited.
 */
const ruleFor = (ctx: Storing, actor: RemoteActor): AppliedDomainRule | null => {
  requireLoaded(ctx.policy)
  const rule = stricterRule(ctx.policy.domainRule(actor.domain), ctx.policy.domainRule(new URL(actor.uri).host))
  if (refusalOfActor(actor, ctx.site, rule)) throw fail('forbidden', 'This action is not allowed')
  return rule
}

const NOWHERE: MoveTarget = { movedTo: null, awaited: null, address: null, leadsTo: null }

const targetOf = async (
  ctx: Pick<Storing, 'site' | 'ownHosts' | 'allowsHttp'>,
  tx: Tx,
  { uri, url, moved_to, moved_to_address }: RemoteActor,
): Promise<MoveTarget> => {
  // An account cannot name itself as the target of its move.
  if (moved_to === null || moved_to === uri || moved_to === url) return NOWHERE
  const tools = { ...ctx, db: tx }
  const found = await accountAt(tools, moved_to)
  const remembered = found ? null : await rememberedTarget(tx, uri, moved_to)
  const known = found ?? (remembered === null ? null : await accountAt(tools, remembered))
  if (known?.uri === uri) return NOWHERE
  const address = moved_to_address ?? moved_to
  const id = known?.uri ?? (address === moved_to ? null : moved_to)
  const leadsTo = id === address ? null : id
  return { movedTo: known?.uri ?? null, awaited: known ? null : moved_to, address, leadsTo }
}

/** Links remote accounts to this local account if they moved to `address`, which leads to it. */
export const linkMovesHere = (
  ctx: Pick<Storing, 'db'>,
  { id, uri }: Pick<AccountRow, 'id' | 'uri'>,
  address: string,
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockNames(tx, [`actor ${address}`])
    await lockMoves(tx, uri, [address])
    await joinMoves(tx, { id, uri, addresses: [address] })
  })

const ownDomains = ({ site }: Pick<Storing, 'site'>): string[] => [site.localDomain, site.webDomain]

/** How an actor document was received. */
export interface Reading {
  /** True if the actor sent the document in an activity that is signed with a known key of the actor. */
  announced?: boolean | undefined
  /** True if the account was stored when the fetch began. */
  wasHere?: boolean | undefined
  /** Time when the fetch began, if it may have taken long. */
  begunAt?: Date | undefined
  /**
   * Address at which the account was fetched as the target of a move. The target of its own move is not fetched, so that
   * a chain of moves ends.
   */
  awaitedAt?: string | undefined
}

/**
 * Source URLs of stored pictures that the new actor document no longer contains. URLs are compared in the normalised
 * form that the media service uses.
 */
const replacedOf = (
  ctx: Pick<Storing, 'site'>,
  known: Awaited<ReturnType<typeof remotePictures>>,
  actor: RemoteActor,
) => {
  const addressOf = (url: string | null) => (url === null ? null : remoteAddress(url, ownDomains(ctx)))
  const isReplaced = (old: string, now: string | null) => addressOf(old) !== addressOf(now)
  const { avatar_remote_url: avatar = null, header_remote_url: header = null } = known ?? {}
  return [
    ...(avatar !== null && isReplaced(avatar, actor.avatar_url) ? [{ kind: 'avatar' as const, remote: avatar }] : []),
    ...(header !== null && isReplaced(header, actor.header_url) ? [{ kind: 'header' as const, remote: header }] : []),
  ]
}

/**
 * Stores or refreshes a remote account. Returns null if the account was removed during the fetch. Throws like `ruleFor`.
 *
 * | Case | Effect |
 * |---|---|
 * | there are keys, all of them are new, and no activity signed with an old key announced them | the server was reset: local follows are sent again |
 * | another actor had the handle | that actor is fetched again |
 * | the account moved to an unknown account | that account is fetched, at most once a day |
 * | the fetch began before the stored version was fetched | nothing changes |
 * | the domain of the handle changed | the domain rules decide again about the limit, and the block of the former domain ends |
 */
export const storeRemote = async (ctx: Storing, actor: RemoteActor, how: Reading = {}): Promise<AccountRow | null> => {
  ruleFor(ctx, actor)
  const { announced = false, begunAt = ctx.clock.date() } = how
  const known = await remotePictures(ctx.db, actor.uri)
  const id = known?.id ?? ctx.ids.next()
  const pictures = kept(await remotePicturesOf(ctx, id, actor), actor, known)

  return ctx.db.tx(async (tx) => {
    // The locks serialise concurrent updates of the same actor id, of the same handle, and of both accounts of a move.
    const own = [actor.uri, actor.url, how.awaitedAt ?? null].filter((one) => one !== null)
    const addresses = actor.moved_to === null ? own : [...own, actor.moved_to]
    const handle = `${actor.username.toLowerCase()}@${actor.domain}`
    await lockNames(tx, [...addresses.map((one) => `actor ${one}`), `handle ${handle}`])
    await lockMoves(tx, actor.uri, own)
    // The server of the actor may have been blocked during the fetch.
    const rule = ruleFor(ctx, actor)
    const silencedBy = rule?.severity === 'silence' ? stampOfRule(rule) : null
    const [before] = await accountsByUris(tx, [actor.uri])
    if (!before && (how.wasHere || known !== null)) return null
    if (how.begunAt && before?.fetched_at && before.fetched_at > how.begunAt) return before
    const formerBlock = before?.domain ? (ctx.policy.domainRule(before.domain)?.stamp ?? null) : null
    const target = await targetOf(ctx, tx, actor)
    const { movedTo, awaited } = target
    const displaced = await releaseHandle(tx, actor)
    const { id: stored, fresh } = await upsertRemote(
      tx,
      profileOf(actor, { id, pictures, silencedBy, formerBlock, at: ctx.clock.date(), begunAt, before, movedTo }),
      before ? NO_DECISIONS : await takeStoredDecisions(tx, actor),
    )
    const beganAgain = !announced && (await hasOtherKeys(tx, stored, actor.keys, actor.unread_keys))
    await putRemoteKeys(tx, stored, actor.keys, actor.unread_keys)
    if (beganAgain) await startAgain(ctx, tx, stored)
    await joinMoves(tx, { id: stored, uri: actor.uri, addresses: own, target })
    const inbox = actor.shared_inbox_url ?? actor.inbox_url
    if (before && (before.shared_inbox_url ?? before.inbox_url) !== inbox) await moveInbox(tx, stored, inbox)
    const row = await accountById(tx, stored)
    if (!row) throw new Error('a stored account is gone')
    await putNames(tx, [row, ...(await namesOf(tx, displaced))])
    if (!fresh && before && JSON.stringify(flagsOf(before)) !== JSON.stringify(flagsOf(row)))
      await ctx.announce(tx, accountChanged, { id: stored, flags: flagsOf(row), profile: false })
    const replaced = replacedOf(ctx, known, actor)
    if (replaced.length > 0) await ctx.announce(tx, picturesReplaced, { owner: stored, pictures: replaced })
    const isFetched =
      awaited !== null && remoteAddress(awaited, ownDomains(ctx)) !== null && how.awaitedAt === undefined
    if (isFetched && (!before || isStale(before, ctx.clock.now())))
      await ctx.queue(tx, refreshRemoteJob, { uri: awaited })
    await ctx.queue(tx, transferFollowersJob, ...displaced.map((from) => ({ from, to: stored })))
    const featuredTags = actor.featured_tags_url
    const noFeaturedTags = !featuredTags && Boolean(known?.featured_tags_url)
    const pins = actor.featured_url ? announced : Boolean(before?.featured_url)
    if (featuredTags || noFeaturedTags || pins)
      await ctx.announce(tx, remoteRead, {
        id: stored,
        ...(featuredTags && { featuredTags }),
        ...(noFeaturedTags && { noFeaturedTags }),
        ...(pins && { pins }),
      })
    const collections = actor.featured_collections_url
    if (collections && (await isFollowedHere(tx, stored)))
      await ctx.queue(tx, syncCollectionsJob, { account: stored, url: collections })
    if (linksAreDue(row.fields_html, before, ctx.clock.now())) await ctx.queue(tx, verifyLinksJob, { account: stored })
    tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [stored]))
    return row
  })
}
