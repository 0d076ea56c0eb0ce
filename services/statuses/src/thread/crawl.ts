/**
 * Fetches the replies to a remote status from the collections of the thread's servers, level by level and within
 * limits.
 */
import { type FetchedNote, fetchCollection, fetchObject, fetchReplies } from '@murmuration/contracts/federation'
import { Failure, isDefectOfOther } from '@murmuration/contracts/kit'
import { mapLimited } from '@murmuration/flow'
import { canonicalAddress, lookUpAddress } from '@murmuration/text/own-address'
import type { Context } from '../context.js'
import { idsByAddress } from '../core/address/find.js'
import { idsByUri, rowOf, rowsOf } from '../core/status/store.js'
import { isOpen } from '../core/visibility/named-status.js'
import { applyFetchResult, type Lookups, pageOf, storeNote } from '../remote/index.js'

/** Limits of one crawl of a thread. */
export const crawlBounds = {
  /** Maximum number of levels below the status. */
  depth: 50,
  /** Maximum number of statuses that are read, of statuses on one server, and of their authors. */
  statuses: 1_000,
  perHost: 500,
  authors: 320,
  /** Maximum number of unknown mentioned accounts that are looked up. With the authors this makes 400 accounts. */
  mentioned: 80,
  /** Maximum number of quotes that are fetched, because each may be on another server. */
  quotes: 100,
  /** Maximum number of unknown addresses of parents that are fetched, because each may lead to a known status. */
  parents: 50,
  /** Maximum number of replies that are accepted from the collections of one status. */
  perStatus: 500,
  /** Maximum number of collection pages in total. */
  pages: 500,
  /**
   * Maximum number of characters of all fetched statuses that wait because their parent was not found yet. Statuses
   * beyond it are skipped.
   */
  waiting: 4_000_000,
  /** Milliseconds after which no further request is sent. */
  ms: 120_000,
}
export type CrawlBounds = typeof crawlBounds

/** Maximum number of statuses that one crawl fetches concurrently. */
const AT_ONCE = 4
/**
 * Maximum number of pages of replies that one request to the federation service asks for, so that it responds before
 * its deadline.
 */
const PAGES_AT_ONCE = 3
/** The quoted status of a reply is fetched, but not the one that it quotes. */
const QUOTE_DEPTH = 1

/** A fetched status, addresses of its replies, and the address of the next page of replies; null after the last page. */
interface Reply {
  readonly note: FetchedNote
  readonly uris: readonly string[]
  readonly next: string | null
}

interface Crawl {
  readonly bounds: CrawlBounds
  readonly root: string
  /** Conversation of the root status in this service; null if the root is unknown. */
  readonly conversation: string | null
  /** Addresses that were or will be read. The set ends cycles. */
  readonly seen: Set<string>
  /** Ids and pages of statuses that belong to the thread. Replies may name their parent by either. */
  readonly kept: Set<string>
  /** Statuses that were read and may belong to the thread, by the address of their parent. */
  readonly waiting: Map<string, Reply[]>
  /** Number of characters of the statuses in `waiting`. */
  held: number
  /**
   * Addresses of statuses that may be stored here already: they could not be fetched, or are the parent of a waiting
   * status.
   */
  readonly unsure: Set<string>
  /** Addresses of parents that were fetched, and the URIs of the statuses to which they lead. */
  readonly leads: Map<string, string | null>
  readonly hosts: Map<string, number>
  readonly authors: Set<string>
  readonly lookups: Lookups
  readonly endsAt: number
  /** Address of the conversation that the root names. The owner of the conversation may list all of it (FEP-f228). */
  context: string | null
  pages: number
  quotes: number
  created: number
}

/** Counts an address against the limits. Returns false if the address must not be read. */
const admit = (crawl: Crawl, uri: string): boolean => {
  const { bounds, seen, hosts } = crawl
  if (seen.has(uri) || seen.size >= bounds.statuses) return false
  const { host } = new URL(uri)
  const known = hosts.get(host) ?? 0
  if (known >= bounds.perHost) return false
  seen.add(uri)
  hosts.set(host, known + 1)
  return true
}

const isKept = ({ kept, leads }: Crawl, address: string): boolean =>
  kept.has(address) || kept.has(leads.get(address) ?? address)

/**
 * Whether a status in a collection of replies really replies to a status of this thread. Collections of other servers
 * may list anything.
 */
const belongs = (crawl: Crawl, { uri, in_reply_to }: FetchedNote): boolean =>
  uri === crawl.root || (in_reply_to !== null && isKept(crawl, in_reply_to))

/** Whether a status is public or unlisted, and the crawl has not reached its maximum number of authors. */
const isWanted = (crawl: Crawl, note: FetchedNote): boolean => {
  if (note.visibility !== 'public' && note.visibility !== 'unlisted') return false
  if (!crawl.authors.has(note.authorUri) && crawl.authors.size >= crawl.bounds.authors) return false
  crawl.authors.add(note.authorUri)
  return true
}

/** Depth to which the quote of a status is fetched. */
const quoteDepth = (crawl: Crawl, { quote }: FetchedNote): number => {
  if (quote === null || crawl.quotes >= crawl.bounds.quotes) return 0
  crawl.quotes += 1
  return QUOTE_DEPTH
}

/**
 * Returns null instead of an error of another server or service. If a server does not respond, only its own part of the thread
 * is missing.
 */
const orNull = <T>(response: Promise<T>): Promise<T | null> =>
  response.catch((error) => {
    if (error instanceof Failure || isDefectOfOther(error)) return null
    throw error
  })

const isOver = (ctx: Context, crawl: Crawl): boolean => ctx.clock.now() >= crawl.endsAt

/**
 * Fetches further pages of a collection from `from` on, and returns the addresses on them. Ends early at a bound of the crawl or
 * a failed request. `have`: number of addresses read before.
 */
const restOf = async (ctx: Context, crawl: Crawl, from: string | null, have: number): Promise<string[]> => {
  const uris: string[] = []
  // The pages are read one after the other, because each page names the next one.
  for (let next = from; next !== null && !isOver(ctx, crawl); ) {
    const pages = Math.min(PAGES_AT_ONCE, crawl.bounds.pages - crawl.pages)
    const max = crawl.bounds.perStatus - have - uris.length
    if (pages < 1 || max < 1) break
    const list = await orNull(ctx.call(fetchCollection, { url: next, most: max, pages }))
    if (list === null) break
    crawl.pages += list.pages
    uris.push(...list.items.map((item) => item.uri))
    next = list.next === next ? null : list.next
  }
  return uris
}

/** Adds the stored statuses of the same conversation among `addresses` to the thread. Returns addresses of unknown statuses. */
const keepStored = async (ctx: Context, crawl: Crawl, addresses: readonly string[]): Promise<string[]> => {
  if (addresses.length === 0) return []
  const ids = await idsByAddress(ctx, ctx.db, addresses)
  const rows = await rowsOf(ctx.db, [...new Set(ids.values())])
  for (const [address, id] of ids) {
    const row = rows.get(id)
    if (row?.deleted_at !== null || row.conversation_id !== crawl.conversation) continue
    // Addresses of replies were chosen by other servers. Storing a reply to a hidden local status would reveal that the
    // status exists.
    if (!row.local || isOpen(row)) crawl.kept.add(address)
  }
  return addresses.filter((one) => !ids.has(one))
}

/**
 * Fetches an address of a parent, and stores to which status it leads. Returns the URI of that status if it replies to
 * the thread.
 */
const follow = async (ctx: Context, crawl: Crawl, address: string): Promise<string | null> => {
  if (isOver(ctx, crawl)) return null
  const found = await orNull(ctx.call(fetchObject, { url: lookUpAddress(ctx, address), behind: true }))
  const uri = found?.local === undefined ? found?.note?.uri : canonicalAddress(ctx, found.local)
  crawl.leads.set(address, uri ?? null)
  return found?.note && belongs(crawl, found.note) ? found.note.uri : null
}

/**
 * Adds stored statuses of the same conversation to the thread, including local ones, even if no server lists them.
 * Unknown addresses of parents are fetched within limits. Returns addresses to read next.
 */
const keepKnown = async (ctx: Context, crawl: Crawl): Promise<string[]> => {
  const { bounds, waiting, leads } = crawl
  const unknown = await keepStored(ctx, crawl, [...crawl.unsure])
  crawl.unsure.clear()
  const parents = unknown
    .filter((one) => waiting.has(one) && !isKept(crawl, one) && !leads.has(one) && URL.canParse(one))
    .slice(0, bounds.parents - leads.size)
  const found = await mapLimited(parents, AT_ONCE, (one) => follow(ctx, crawl, one))
  await keepStored(
    ctx,
    crawl,
    parents.flatMap((one) => leads.get(one) ?? []),
  )
  return found.filter((uri) => uri !== null).filter((uri) => !crawl.kept.has(uri) && admit(crawl, uri))
}

/** Stores one status of the thread. Returns the addresses of its replies. */
const keep = async (ctx: Context, crawl: Crawl, { note, uris, next }: Reply): Promise<readonly string[]> => {
  if (isOver(ctx, crawl) || !isWanted(crawl, note)) return []
  if (note.uri === crawl.root) crawl.context = note.conversation
  const parent = note.in_reply_to === null ? null : (crawl.leads.get(note.in_reply_to) ?? note.in_reply_to)
  const named = { ...note, in_reply_to: parent }
  const stored = await orNull(storeNote(ctx, named, 0, quoteDepth(crawl, note), crawl.lookups))
  if (stored === null) return []
  if (stored.outcome === 'created') crawl.created += 1
  crawl.kept.add(note.uri)
  const page = pageOf(note)
  if (page !== null) crawl.kept.add(page)
  return [...uris, ...(await restOf(ctx, crawl, next, uris.length))]
}

/**
 * Keeps a fetched reply until its parent is found. The size of all kept replies of a crawl is limited, because a server can
 * list any number of replies without a known parent.
 */
const wait = (crawl: Crawl, reply: Reply): void => {
  const parent = reply.note.in_reply_to
  const size = JSON.stringify(reply).length
  if (parent === null || crawl.held + size > crawl.bounds.waiting) return
  crawl.held += size
  crawl.waiting.set(parent, [...(crawl.waiting.get(parent) ?? []), reply])
  crawl.unsure.add(parent)
}

/** Reads one listed status and stores it, or keeps it waiting. Returns the addresses to read next. */
const visit = async (ctx: Context, crawl: Crawl, uri: string): Promise<string[]> => {
  if (isOver(ctx, crawl)) return []
  const pages = Math.max(0, Math.min(PAGES_AT_ONCE, crawl.bounds.pages - crawl.pages))
  const found = await orNull(ctx.call(fetchReplies, { uri, most: crawl.bounds.perStatus, pages }))
  if (found) await applyFetchResult(ctx, uri, found.outcome)
  if (!found?.note) {
    crawl.unsure.add(uri)
    return []
  }
  crawl.pages += found.pages
  const reply = { note: found.note, uris: found.uris, next: found.next }
  if (belongs(crawl, reply.note)) return (await keep(ctx, crawl, reply)).filter((one) => admit(crawl, one))
  wait(crawl, reply)
  return []
}

/** Removes and returns the waiting statuses whose parent belongs to the thread. */
const takeFreed = (crawl: Crawl): Reply[] =>
  [...crawl.waiting].flatMap(([parent, replies]) =>
    isKept(crawl, parent) && crawl.waiting.delete(parent) ? replies : [],
  )

/**
 * Stores waiting statuses whose parent was found, and then those that wait for them. Returns the addresses to read
 * next.
 */
const keepFreed = async (ctx: Context, crawl: Crawl): Promise<string[]> => {
  const named = await keepKnown(ctx, crawl)
  // Each round stores replies to statuses of the round before, so that a parent is stored before its replies.
  for (let round = takeFreed(crawl); round.length > 0; round = takeFreed(crawl)) {
    for (const reply of round) crawl.held -= JSON.stringify(reply).length
    const found = await mapLimited(round, AT_ONCE, async (one) =>
      (await keep(ctx, crawl, one)).filter((uri) => admit(crawl, uri)),
    )
    named.push(...found.flat())
  }
  return named
}

/**
 * Addresses that the owner of the conversation lists. A local conversation is skipped, because it lists only known
 * statuses.
 */
const listedInContext = async (ctx: Context, crawl: Crawl): Promise<string[]> => {
  const { context } = crawl
  if (context === null || !URL.canParse(context)) return []
  const { protocol, origin } = new URL(context)
  if (!/^https?:$/.test(protocol) || origin === ctx.site.origin) return []
  return restOf(ctx, crawl, context, 0)
}

/**
 * Reads the thread below a status. `report` is called after each level with the number of new statuses. Repeatable: known
 * statuses are only read again. Returns the number of new statuses.
 */
export const crawlReplies = async (
  ctx: Context,
  uri: string,
  report: (created: number) => Promise<void>,
  bounds: CrawlBounds = crawlBounds,
): Promise<number> => {
  const known = (await idsByUri(ctx.db, [uri])).get(uri)
  const crawl: Crawl = {
    bounds,
    root: uri,
    conversation: known ? ((await rowOf(ctx.db, known))?.conversation_id ?? null) : null,
    seen: new Set([uri]),
    kept: new Set(),
    waiting: new Map(),
    held: 0,
    unsure: new Set(),
    leads: new Map(),
    hosts: new Map(),
    authors: new Set(),
    lookups: { left: bounds.mentioned },
    endsAt: ctx.clock.now() + bounds.ms,
    context: null,
    pages: 0,
    quotes: 0,
    created: 0,
  }
  let level = [uri]
  // Level by level, so that a parent is stored before its replies.
  for (let depth = 0; level.length > 0 && depth <= bounds.depth && !isOver(ctx, crawl); depth++) {
    const found = await mapLimited(level, AT_ONCE, (one) => visit(ctx, crawl, one))
    const freed = await keepFreed(ctx, crawl)
    const listed = depth === 0 ? await listedInContext(ctx, crawl) : []
    level = [...found.flat(), ...freed, ...listed.filter((one) => admit(crawl, one))]
    if (level.length > 0) await report(crawl.created)
  }
  return crawl.created
}
