/** Stores a status that an activity brought: people found, audience decided, then it belongs to statuses. */

import { hostOf, readUri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, accountRecords, accountResolve } from '@murmuration/contracts/accounts'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { isRetryable } from '@murmuration/contracts/kit'
import type { StatusRecord, UnreachedMention } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { hostStanding } from '../../core/hosts.js'
import { acceptDelivery, isOpen } from '../inbound-acceptance.rules.js'
import { noteNamed, noteTooLate } from './interacted.js'
import { done, type Outcome, refused } from './outcome.js'
import { statusAt } from './received.js'

export interface Brought {
  readonly note: FetchedNote
  readonly actor: AccountRecord
  /** Account id of the inbox owner, when nobody is addressed. */
  readonly ownerId: string | null
  /** Mentions that were given by handle only, lower-case `name@domain`. */
  readonly handles: readonly string[]
}

/** People who were never heard of and are looked up because one status names them. */
const MOST_LOOKUPS = 10

type Mentions = { id: string; silent: boolean; local: boolean }[]

/** The second page of an account here: `/users/NAME` leads to the same as `/@NAME`. */
const pageById = ({ url }: AccountRecord): string => url.replace(/\/@([^/]+)$/, '/users/$1')

const isSilent = (it: AccountRecord, addressed: ReadonlySet<string>): boolean =>
  [it.uri, it.url, pageById(it)].some((address) => addressed.has(address.toLowerCase()))

/** Those who are mentioned, and those of them whose servers do not answer now. */
interface Named {
  mentions: Mentions
  unreached: UnreachedMention[]
}

const handleOf = ({ username, domain }: AccountRecord): string =>
  (domain === null ? username : `${username}@${domain}`).toLowerCase()

/** Those who are mentioned and known here; everybody of ours is. */
const knownMentioned = async (ctx: Context, { note, handles }: Brought): Promise<AccountRecord[]> => {
  const uris = [...new Set(note.mentionUris.map((it) => it.uri))]
  if (uris.length + handles.length === 0) return []
  const given = handles.slice(0, 100)
  const spelled = note.mentionUris.flatMap((it) => it.handle ?? []).slice(0, 100)
  const { records, named = {} } = await ctx.call(accountRecords, { uris, handles: [...given, ...spelled], pages: true })
  // A handle counts where nobody has the address that stands beside it.
  const found = new Set([...records.map((it) => it.uri), ...Object.keys(named)])
  const needed = new Set(note.mentionUris.flatMap((it) => (found.has(it.uri) ? [] : (it.handle ?? []))))
  const wanted = new Set([...given, ...needed])
  const asked = new Set(uris)
  const paged = new Set(Object.values(named))
  return records.filter((it) => asked.has(it.uri) || paged.has(it.id) || wanted.has(handleOf(it)))
}

type Asked = { record: AccountRecord | null; later: boolean }

/** Whoever writes may name anybody, so that what people here wait for goes first. */
const resolve = (ctx: Context, who: { uri: string } | { handle: string }): Promise<Asked> =>
  ctx.call(accountResolve, { ...who, behind: true }, { timeoutMs: 15_000 }).then(
    ({ record, later }) => ({ record, later: later === true }),
    (error) => ({ record: null, later: isRetryable(error) }),
  )

const reachStranger = async (ctx: Context, { uri, handle }: UnreachedMention): Promise<Asked> => {
  const first = await resolve(ctx, { uri })
  if (first.record !== null || handle === undefined) return first
  const { record, later } = await resolve(ctx, { handle })
  return { record, later: later || first.later }
}

/** A few of those who are not known, from their servers; `unreached` are those whose servers do not answer now. */
const strangersMentioned = async (
  ctx: Context,
  { note }: Brought,
  records: readonly AccountRecord[],
): Promise<{ found: AccountRecord[]; unreached: UnreachedMention[] }> => {
  const known = new Set(records.flatMap((it) => [it.uri, it.url, handleOf(it)]))
  const unknown = [...new Map(note.mentionUris.map((it) => [it.uri, it.handle])).entries()]
    .flatMap(([text, handle]) => {
      const uri = readUri(text)
      return uri === null || known.has(uri) || (handle !== undefined && known.has(handle)) ? [] : [{ uri, handle }]
    })
    .filter(({ uri }) => !isOurs(uri, ctx.self.ownHosts) && hostStanding(ctx, hostOf(uri) as string) === 'open')
    .slice(0, MOST_LOOKUPS)
  const asked = await Promise.all(unknown.map((who) => reachStranger(ctx, who)))
  return {
    found: asked.flatMap(({ record }) => record ?? []),
    unreached: unknown.filter((_, i) => asked[i]?.record === null && asked[i].later),
  }
}

/** Mentioned by any of its addresses is mentioned; an account is silent when it is only addressed, by its id. */
const mentionsFrom = ({ note, ownerId, handles }: Brought, records: readonly AccountRecord[]): Mentions => {
  const named = new Set(note.mentionUris.filter((it) => !it.silent).map((it) => it.uri.toLowerCase()))
  const spelled = new Set([...handles, ...note.mentionUris.flatMap((it) => (it.silent ? [] : (it.handle ?? [])))])
  const addressed = new Set(note.mentionUris.filter((it) => it.silent).map((it) => it.uri.toLowerCase()))
  const isNamed = (it: AccountRecord): boolean =>
    [it.uri, it.url, pageById(it)].some((address) => named.has(address.toLowerCase())) || spelled.has(handleOf(it))
  const mentions = new Map(
    records.map((it) => [
      it.id,
      { id: it.id, silent: !isNamed(it) && isSilent(it, addressed), local: it.domain === null },
    ]),
  )
  if (ownerId !== null && !mentions.has(ownerId)) mentions.set(ownerId, { id: ownerId, silent: true, local: true })
  return [...mentions.values()]
}

/** Accounts of those who are mentioned: known ones at once, a few unknown ones from their servers. */
const namedIn = async (ctx: Context, brought: Brought, known?: readonly AccountRecord[]): Promise<Named> => {
  const records = known ?? (await knownMentioned(ctx, brought))
  const { found, unreached } = await strangersMentioned(ctx, brought, records)
  return { mentions: mentionsFrom(brought, [...records, ...found]), unreached }
}

const answersKnown = async (ctx: Context, uri: string | null): Promise<boolean> => {
  const parent = uri === null ? null : await statusAt(ctx, uri)
  if (parent === null || parent.deleted) return false
  // A hidden status is treated as an absent one: the outcome must not reveal that it exists.
  return parent.local ? isOpen(parent) : ctx.acquaintances.isFollowed(parent.author)
}

/** Who quotes somebody here is their business. */
const quotesUs = async (ctx: Context, uri: string | null | undefined): Promise<boolean> => {
  const quoted = uri ? await statusAt(ctx, uri) : null
  return quoted !== null && !quoted.deleted && quoted.local && isOpen(quoted)
}

/** Whether anybody here has to do with the status; the cheapest questions first. */
const acceptance = async (ctx: Context, { note, actor }: Brought, mentions: Mentions) => {
  const addressesUs = mentions.some((it) => it.local)
  const followed = !addressesUs && (await ctx.acquaintances.isFollowed(actor.id))
  const answers =
    !addressesUs && !followed && ((await answersKnown(ctx, note.in_reply_to)) || (await quotesUs(ctx, note.quote?.uri)))
  return acceptDelivery({ visibility: note.visibility, followed, relayed: false, answersKnown: answers, addressesUs })
}

const put = async (ctx: Context, { note, actor }: Brought, named: Named): Promise<Outcome> => {
  // First: of what is stored already nothing would be noted when this is tried again.
  await noteNamed(ctx, actor, [note.in_reply_to, note.quote?.uri])
  const { authorUri: _author, mentionUris: _mentions, ...rest } = note
  const { outcome } = await ctx.deposit({
    ...rest,
    author: actor.id,
    mentions: named.mentions.map(({ id, silent }) => ({ id, silent })),
    ...(named.unreached.length && { unreached: named.unreached }),
    push: true,
  })
  return outcome === 'refused' ? refused('statuses-refuses') : done(outcome === 'created' ? null : outcome)
}

/** A status that was not known before. Nobody is looked up for one that is nobody's business here. */
export const storeNew = async (ctx: Context, brought: Brought): Promise<Outcome> => {
  const known = await knownMentioned(ctx, brought)
  const accepted = await acceptance(ctx, brought, mentionsFrom(brought, known))
  if (accepted.ok) return put(ctx, brought, await namedIn(ctx, brought, known))
  await noteTooLate(ctx, brought.actor, [brought.note.in_reply_to, brought.note.quote?.uri])
  return refused(accepted.reason)
}

/** Stores a status that an account here asked for, such as the boosted one; distributes it like a delivered one. */
export const storeWanted = async (ctx: Context, brought: Brought): Promise<Outcome> =>
  put(ctx, brought, await namedIn(ctx, brought))

/** New words for a status that is stored; who may see it stays as it was. */
export const storeEdit = async (ctx: Context, brought: Brought, stored: StatusRecord): Promise<Outcome> => {
  const note = { ...brought.note, visibility: stored.visibility }
  return put(ctx, { ...brought, note }, await namedIn(ctx, brought))
}
