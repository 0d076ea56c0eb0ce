/** Stores a received status: looks up mentioned accounts, decides whether it is accepted, and calls the statuses service. */

import { hostOf, readUri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, resolveAccount } from '@murmuration/contracts/accounts'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { defectIn, isRetryable } from '@murmuration/contracts/kit'
import type { StatusRecord, UnreachedMention } from '@murmuration/contracts/statuses'
import { createDeadline } from '@murmuration/flow'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { hostAccess } from '../../core/host/hosts.js'
import { acceptDelivery, isOpen } from '../inbound-acceptance.rules.js'
import { recordNamed, recordTooLate } from './interacted.js'
import { done, type Outcome, refused } from './outcome.js'
import { statusAt } from './received.js'

/** A status that was fetched, or parsed from an embedded copy, and is not stored yet. */
export interface UnstoredStatus {
  readonly note: FetchedNote
  readonly actor: AccountRecord
  /** Account id of the owner of the receiving inbox, if the activity has no addressing; else null. */
  readonly ownerId: string | null
  /** `current`: true if the status was just fetched from its server. */
  readonly current?: boolean
}

/** Maximum number of unknown accounts that are fetched because one status mentions them. */
const MAX_LOOKUPS = 10

type Mentions = { id: string; silent: boolean; local: boolean }[]

/** Stored accounts that a status mentions or addresses, and account ids by the addresses in the status. */
interface Known {
  records: readonly AccountRecord[]
  byAddress: ReadonlyMap<string, string>
}

/** Found mentions, and mentions of accounts whose servers do not respond now. */
interface Named {
  mentions: Mentions
  unreached: UnreachedMention[]
}

const handleOf = ({ username, domain }: AccountRecord): string =>
  (domain === null ? username : `${username}@${domain}`).toLowerCase()

/** Mentioned and addressed accounts that are stored; local accounts are always stored. */
const knownMentioned = async (ctx: Context, { note }: UnstoredStatus): Promise<Known> => {
  const { mentionHandles: handles = [] } = note
  const uris = [...new Set(note.mentionUris.map((it) => it.uri))]
  if (uris.length + handles.length === 0) return { records: [], byAddress: new Map() }
  const given = handles.slice(0, 100)
  const spelled = note.mentionUris.flatMap((it) => it.handle ?? []).slice(0, 100)
  const { records, named = {} } = await ctx.call(accountRecords, { uris, handles: [...given, ...spelled], pages: true })
  // The handle of a mention is used only if no stored account has its address.
  const byAddress = new Map([...records.map((it) => [it.uri, it.id] as const), ...Object.entries(named)])
  const needed = new Set(note.mentionUris.flatMap((it) => (byAddress.has(it.uri) ? [] : (it.handle ?? []))))
  const wanted = new Set([...given, ...needed])
  const wantedUris = new Set(uris)
  const paged = new Set(Object.values(named))
  return {
    records: records.filter((it) => wantedUris.has(it.uri) || paged.has(it.id) || wanted.has(handleOf(it))),
    byAddress,
  }
}

type ResolvedAccount = { record: AccountRecord | null; later: boolean }

/**
 * Fetches an account with background priority, because a status may mention any account. The outcome `later` means that
 * a retry may succeed.
 */
const resolve = (
  ctx: Pick<Context, 'call'>,
  who: { uri: string } | { handle: string },
  timeoutMs: number,
): Promise<ResolvedAccount> =>
  ctx.call(resolveAccount, { ...who, behind: true }, { timeoutMs }).then(
    ({ record, later }) => ({ record, later: later === true }),
    (error) => ({ record: null, later: isRetryable(error) || defectIn(error) !== null }),
  )

/** Time limit of both look-ups of an account: by its address, then by its handle. */
const LOOK_UP_MS = 15_000

/** Fetches a mentioned account by its address, then by its handle. Both are on one host, so they share a time limit. */
export const fetchUnknown = async (
  ctx: Pick<Context, 'call'>,
  { uri, handle }: UnreachedMention,
): Promise<ResolvedAccount> => {
  const deadline = createDeadline(LOOK_UP_MS)
  const first = await resolve(ctx, { uri }, deadline.left())
  if (first.record !== null || handle === undefined || !deadline.allowsAttempt()) return first
  const { record, later } = await resolve(ctx, { handle }, deadline.left())
  return { record, later: later || first.later }
}

/** Fetches mentioned accounts that are not stored, at most `MAX_LOOKUPS`. `unreached`: their servers do not respond now. */
const unknownMentioned = async (
  ctx: Context,
  { note }: UnstoredStatus,
  { records }: Known,
): Promise<{ found: { uri: string; record: AccountRecord }[]; unreached: UnreachedMention[] }> => {
  const known = new Set(records.flatMap((it) => [it.uri, it.url, handleOf(it)]))
  const unknown = [...new Map(note.mentionUris.map((it) => [it.uri, it.handle])).entries()]
    .flatMap(([text, handle]) => {
      const uri = readUri(text)
      return uri === null || known.has(uri) || (handle !== undefined && known.has(handle)) ? [] : [{ uri, handle }]
    })
    .filter(({ uri }) => !isOurs(uri, ctx.self.ownHosts) && hostAccess(ctx, hostOf(uri) as string) === 'open')
    .slice(0, MAX_LOOKUPS)
  const fetched = await Promise.all(unknown.map((who) => fetchUnknown(ctx, who)))
  return {
    found: unknown.flatMap(({ uri }, i) => (fetched[i]?.record ? [{ uri, record: fetched[i].record }] : [])),
    unreached: unknown.filter((_, i) => fetched[i]?.record === null && fetched[i].later),
  }
}

/** Mentions of these accounts. A mention is silent if the account is only addressed. */
const mentionsFrom = ({ note, ownerId }: UnstoredStatus, { records, byAddress }: Known): Mentions => {
  const spelled = new Set(note.mentionHandles)
  const named = new Set<string | undefined>()
  for (const { uri, silent, handle } of note.mentionUris) {
    if (!silent) named.add(byAddress.get(uri))
    if (!silent && handle !== undefined) spelled.add(handle)
  }
  const mentions = new Map(
    records.map((it) => [
      it.id,
      { id: it.id, silent: !named.has(it.id) && !spelled.has(handleOf(it)), local: it.domain === null },
    ]),
  )
  if (ownerId !== null && !mentions.has(ownerId)) mentions.set(ownerId, { id: ownerId, silent: true, local: true })
  return [...mentions.values()]
}

/** Mentions of stored accounts, and of unknown accounts that are fetched. */
const namedIn = async (ctx: Context, unstored: UnstoredStatus, stored?: Known): Promise<Named> => {
  const known = stored ?? (await knownMentioned(ctx, unstored))
  const { found, unreached } = await unknownMentioned(ctx, unstored, known)
  const all: Known = {
    records: [...known.records, ...found.map(({ record }) => record)],
    byAddress: new Map([...known.byAddress, ...found.map(({ uri, record }) => [uri, record.id] as const)]),
  }
  return { mentions: mentionsFrom(unstored, all), unreached }
}

const repliesToKnown = async (ctx: Context, uri: string | null): Promise<boolean> => {
  const parent = uri === null ? null : await statusAt(ctx, uri)
  if (parent === null || parent.deleted) return false
  // A hidden parent counts as absent, because the outcome must not reveal that a hidden status exists.
  return parent.local ? isOpen(parent) : ctx.accountCache.isFollowed(parent.author)
}

/** True if the quoted status is local, and public or unlisted. */
const quotesUs = async (ctx: Context, uri: string | null | undefined): Promise<boolean> => {
  const quoted = uri ? await statusAt(ctx, uri) : null
  return quoted !== null && !quoted.deleted && quoted.local && isOpen(quoted)
}

/**
 * Decides whether a status concerns a local account. Expensive checks run only if the cheap checks before them did not
 * accept the status.
 */
const acceptance = async (ctx: Context, { note, actor }: UnstoredStatus, mentions: Mentions) => {
  const addressesUs = mentions.some((it) => it.local)
  const followed = !addressesUs && (await ctx.accountCache.isFollowed(actor.id))
  const concernsKnown =
    !addressesUs &&
    !followed &&
    ((await repliesToKnown(ctx, note.in_reply_to)) || (await quotesUs(ctx, note.quote?.uri)))
  return acceptDelivery({
    visibility: note.visibility,
    followed,
    relayed: false,
    repliesToKnown: concernsKnown,
    addressesUs,
  })
}

/** Outcome for a received version of a status that has the edit time of the stored version, but other content. */
const TIED = done('tied')

const put = async (ctx: Context, { note, actor, current = false }: UnstoredStatus, named: Named): Promise<Outcome> => {
  // The readers are stored before the status, because a retry of the job does not reach this line once the status is stored.
  await recordNamed(ctx, actor, [note.in_reply_to, note.quote?.uri])
  const {
    authorUri: _author,
    mentionUris: _mentions,
    mentionHandles: _handles,
    unaddressed: _unaddressed,
    ...rest
  } = note
  const { outcome, tied } = await ctx.upsertStatus({
    ...rest,
    author: actor.id,
    mentions: named.mentions.map(({ id, silent }) => ({ id, silent })),
    ...(named.unreached.length && { unreached: named.unreached }),
    push: true,
    ...(current && { current }),
  })
  if (tied) return TIED
  return outcome === 'refused' ? refused('statuses-refuses') : done(outcome === 'created' ? null : outcome)
}

/**
 * Stores an unknown status if it concerns local accounts, else refuses it. Mentioned accounts are fetched only if the
 * status concerns local accounts.
 */
export const storeNew = async (ctx: Context, unstored: UnstoredStatus): Promise<Outcome> => {
  const known = await knownMentioned(ctx, unstored)
  const accepted = await acceptance(ctx, unstored, mentionsFrom(unstored, known))
  if (accepted.ok) return put(ctx, unstored, await namedIn(ctx, unstored, known))
  await recordTooLate(ctx, unstored.actor, [unstored.note.in_reply_to, unstored.note.quote?.uri])
  return refused(accepted.reason)
}

/**
 * Stores a status without the acceptance check, for example the original of a boost. The status is distributed to feeds
 * like a delivered one.
 */
export const storeWanted = async (ctx: Context, unstored: UnstoredStatus): Promise<Outcome> =>
  put(ctx, unstored, await namedIn(ctx, unstored))

/**
 * Stores an edit of a known status. Its audience stays the same.
 * @param onTie called for a version with the edit time of the stored one, but other content; by default the stored version stays
 */
export const storeEdit = async (
  ctx: Context,
  unstored: UnstoredStatus,
  stored: StatusRecord,
  onTie: () => Promise<Outcome> | Outcome = () => done('unchanged'),
): Promise<Outcome> => {
  const note = { ...unstored.note, visibility: stored.visibility }
  const outcome = await put(ctx, { ...unstored, note }, await namedIn(ctx, unstored))
  return outcome === TIED ? onTie() : outcome
}
