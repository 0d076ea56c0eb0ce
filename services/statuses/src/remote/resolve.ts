/** Finds a status by address: local, known, or fetched from its server. */
import { type AccountRecord, accountRecords, resolveAccount } from '@murmuration/contracts/accounts'
import { type FetchedNote, fetchObject } from '@murmuration/contracts/federation'
import { defectIn, isRetryable } from '@murmuration/contracts/kit'
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { createDeadline } from '@murmuration/flow'
import { canonicalAddress, lookUpAddress } from '@murmuration/text/own-address'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { QUOTE_DEPTH } from '../core/quote/rules.js'
import { rowOf } from '../core/status/store.js'
import { putRemoteStatus, type Stored } from './put.js'

/** Maximum number of mentions of a status that are read. */
const MAX_NAMED = 100
/** Maximum number of unknown accounts that one task looks up. */
const MAX_LOOKUPS = 20

/** Number of unknown accounts that may still be looked up, shared by all statuses of one task. */
export interface Lookups {
  left: number
}

const knownId = async (ctx: Context, address: string): Promise<string | null> => {
  const id = await idByAddress(ctx, ctx.db, address)
  return id && (await rowOf(ctx.db, id)) ? id : null
}

type LookedUp = { id: string | null; later: boolean; limited?: boolean; defect?: unknown }

/**
 * Looks up an unknown account. `later`: its server did not respond, or this server has a defect, and the request may be
 * repeated. `defect`: an error after which a job is tried again.
 */
const lookUpUnknown = (
  ctx: Pick<Context, 'call'>,
  who: { uri: string } | { handle: string },
  background: boolean,
  timeoutMs?: number,
): Promise<LookedUp> =>
  ctx.call(resolveAccount, { ...who, behind: background }, timeoutMs === undefined ? {} : { timeoutMs }).then(
    ({ record, later, limited }) => ({
      id: record?.id ?? null,
      later: later === true,
      ...(limited && { limited }),
    }),
    (error) => {
      const defect = defectIn(error)
      return { id: null, later: defect !== null || isRetryable(error), ...(defect !== null && { defect }) }
    },
  )

/**
 * Whether a fetched status is by this account. Its author may be named by an address that must be looked up. `later`:
 * that address cannot be read now.
 */
export const isWrittenBy = async (
  ctx: Context,
  { authorUri }: FetchedNote,
  { id, uri }: Pick<AccountRecord, 'id' | 'uri'>,
): Promise<{ ok: boolean; later: boolean }> => {
  if (authorUri === uri) return { ok: true, later: false }
  const { records } = await ctx.call(accountRecords, { ids: [id], uris: [authorUri], pages: true })
  if (records.some((it) => it.id === id && it.url === authorUri)) return { ok: true, later: false }
  if (records.some((it) => it.id !== id)) return { ok: false, later: false }
  const found = await lookUpUnknown(ctx, { uri: authorUri }, true)
  if (found.defect !== undefined) throw found.defect
  return { ok: found.id === id, later: found.later }
}

type Mentions = FetchedNote['mentionUris']

const handleOf = ({ username, domain }: AccountRecord): string => `${username}@${domain ?? ''}`.toLowerCase()

/** Time limit of both look-ups of a mentioned account: by its uri, then by its handle. */
const LOOK_UP_MS = 15_000

/**
 * Looks up a mentioned account by uri, and by the handle of the mention if no account has this uri. Both are on one host, so they
 * share a time limit.
 */
export const lookUpMentioned = async (
  ctx: Pick<Context, 'call'>,
  { uri, handle }: Pick<Mentions[number], 'uri' | 'handle'>,
  background: boolean,
): Promise<LookedUp> => {
  const deadline = createDeadline(LOOK_UP_MS)
  const first = await lookUpUnknown(ctx, { uri }, background, deadline.left())
  if (first.id !== null || handle === undefined || !deadline.allowsAttempt()) return first
  const { id, later } = await lookUpUnknown(ctx, { handle }, background, deadline.left())
  return { id, later: later || first.later }
}

/**
 * Resolves mentions: known accounts in one request, unknown ones up to the lookup limit. Unknown accounts that are mentioned by
 * handle only are left out.
 */
const mentionsOf = async (
  ctx: Context,
  named: Mentions,
  handles: readonly string[],
  lookups: Lookups,
  background: boolean,
): Promise<Pick<RemoteStatus, 'mentions' | 'unreached'>> => {
  if (named.length + handles.length === 0) return { mentions: [] }
  const uris = [...new Set(named.map((one) => one.uri))]
  const spelled = named.flatMap((one) => one.handle ?? [])
  const { records, named: paged = {} } = await ctx.call(accountRecords, {
    uris,
    handles: [...new Set([...handles, ...spelled])],
    pages: true,
  })
  const known = new Map([...records.map((record) => [record.uri, record.id] as const), ...Object.entries(paged)])
  const byHandle = new Map(records.map((record) => [handleOf(record), record.id]))
  // The handle of a mention is used only if no stored account has its address.
  for (const { uri, handle = '' } of named) {
    const id = byHandle.get(handle)
    if (id !== undefined && !known.has(uri)) known.set(uri, id)
  }
  const unknown = named.filter((one) => !known.has(one.uri)).slice(0, Math.min(MAX_LOOKUPS, lookups.left))
  lookups.left -= unknown.length
  const found = await Promise.all(unknown.map((one) => lookUpMentioned(ctx, one, background)))
  for (const [i, { uri }] of unknown.entries()) {
    const id = found[i]?.id
    if (id) known.set(uri, id)
  }
  // An account may be addressed by id and mentioned by page. Such an account then counts as mentioned.
  const mentions = new Map<string, { id: string; silent: boolean }>()
  for (const { uri, silent } of named) {
    const id = known.get(uri)
    if (id !== undefined) mentions.set(id, { id, silent: silent && (mentions.get(id)?.silent ?? true) })
  }
  for (const handle of handles) {
    const id = byHandle.get(handle)
    if (id !== undefined) mentions.set(id, { id, silent: false })
  }
  return {
    mentions: [...mentions.values()],
    unreached: unknown.filter((one, i) => !one.silent && found[i]?.later).map(({ uri, handle }) => ({ uri, handle })),
  }
}

interface Kept {
  stored: Stored | null
  /** True if nothing is stored because the author's server could not be read now. */
  later: boolean
  limited?: boolean
}

const tryKeeping = async (
  ctx: Context,
  note: FetchedNote,
  depth: number,
  quotes: number,
  background: boolean,
  lookups: Lookups = { left: MAX_LOOKUPS },
): Promise<Kept> => {
  const { authorUri, mentionUris, mentionHandles = [], unaddressed: _unaddressed, ...rest } = note
  const [{ id: author, later, limited, defect }, accounts] = await Promise.all([
    lookUpUnknown(ctx, { uri: authorUri }, background),
    mentionsOf(ctx, mentionUris.slice(0, MAX_NAMED), mentionHandles.slice(0, MAX_NAMED), lookups, background),
  ])
  if (defect !== undefined) throw defect
  if (author === null) return { stored: null, later, limited }
  const stored = await putRemoteStatus(
    ctx,
    {
      ...rest,
      author,
      // Old statuses are not pushed, whatever their source.
      push: true,
      fetched: true,
      ...accounts,
    },
    depth,
    quotes,
  )
  return { stored: stored.outcome === 'refused' ? null : stored, later: false }
}

/**
 * Stores or updates a status that federation fetched in the background. Returns null if the author is unknown, or if
 * this server refuses the status.
 */
export const storeNote = async (
  ctx: Context,
  note: FetchedNote,
  depth: number,
  quotes: number,
  lookups?: Lookups,
): Promise<Stored | null> => (await tryKeeping(ctx, note, depth, quotes, true, lookups)).stored

const fetchAt = (ctx: Context, { url, ...more }: { url: string; behind: boolean; as?: string }) =>
  ctx.call(fetchObject, { url: lookUpAddress(ctx, url), ...more })
type Fetched = ReturnType<typeof fetchAt>

/** Returns a function that fetches the object at an address when it is first called, and afterwards returns the same result. */
export const fetchOnce = (ctx: Context, url: string): (() => Fetched) => {
  let fetched: Fetched | undefined
  return () => (fetched ??= fetchAt(ctx, { url, behind: false }))
}

/** Maximum number of parents that are fetched after one lookup. */
const DEPTH = 10

export interface Reach {
  depth?: number
  quotes?: number
  lookups?: Lookups
  /** True if no request is waiting for the result. */
  behind?: boolean | undefined
  /** If `by` is given, only a status of this account is stored. */
  by?: Pick<AccountRecord, 'id' | 'uri'>
  /** Id of the local account that signs the fetch. */
  as?: string | undefined
  /** True: an address with a fragment denotes only the status with this id, not the document that contains it. */
  exact?: boolean | undefined
  /** Returns the object at the address. Present if the caller uses the object too, so that it is fetched once. */
  fetch?: () => Fetched
}

/**
 * The status at an address, fetched if unknown. An address of another server may lead to a local status. `later`: its
 * server could not be read now. `limited`: the cause is a rate limit of this server. `created`: the status was stored by
 * this call.
 */
export const reachStatus = async (
  ctx: Context,
  named: string,
  { depth = DEPTH, quotes = QUOTE_DEPTH, lookups, behind: background = false, by, as, exact, fetch }: Reach = {},
): Promise<{ id: string | null; later: boolean; limited?: boolean; created?: boolean }> => {
  const address = canonicalAddress(ctx, named)
  const known = await knownId(ctx, address)
  if (known !== null || address.startsWith(`${ctx.site.origin}/`)) return { id: known, later: false }
  const input = { url: address, behind: background, ...(as === undefined ? {} : { as }) }
  const { outcome, note, local, limited } = await (fetch?.() ?? fetchAt(ctx, input))
  if (local !== undefined && by === undefined)
    return { id: await knownId(ctx, canonicalAddress(ctx, local)), later: false }
  if (!note) return { id: null, later: outcome === 'later', limited }
  if (exact && address.includes('#') && note.uri !== lookUpAddress(ctx, address)) return { id: null, later: false }
  const isBy = by === undefined ? { ok: true, later: false } : await isWrittenBy(ctx, note, by)
  if (!isBy.ok) return { id: null, later: isBy.later }
  const here = await knownId(ctx, note.uri)
  if (here !== null) return { id: here, later: false }
  // A status without `to` and `cc` would permanently be stored as direct. It is stored later by its Create, which may
  // have both.
  if (note.unaddressed) return { id: null, later: false }
  const { stored, ...why } = await tryKeeping(ctx, note, depth, quotes, background, lookups)
  return { id: stored?.id ?? null, ...why, created: stored?.outcome === 'created' }
}

/** Id of the status at an address; null if there is none, or if this server may not store it. */
export const resolveStatus = async (ctx: Context, address: string, reach: Reach = {}): Promise<string | null> =>
  (await reachStatus(ctx, address, reach)).id
