/** Brings in what was answered to a remote status, as the servers of the thread list it: level by level, within bounds. */
import { type FetchedNote, fetchCollection, fetchReplies } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { several } from '../core/batches.js'
import { idsByUri, rowOf, rowsOf } from '../core/status/store.js'
import { isOpen } from '../core/visibility/named-status.js'
import { applyFetchResult, type Lookups, storeNote } from '../remote/index.js'

/** Limits of one crawl of a thread. */
export const crawlBounds = {
  /** Levels below the status. */
  depth: 50,
  /** Statuses that are looked at, of them on one server, and people who wrote them. */
  statuses: 1_000,
  perHost: 500,
  authors: 320,
  /** People never heard of who are looked up because a status names them: four hundred with those who wrote. */
  mentioned: 80,
  /** Quotes in answers that are looked into: each may lead to another server. */
  quotes: 100,
  /** Answers that are believed to be answers of one status. */
  perStatus: 500,
  /** Pages of lists, in all. */
  pages: 500,
  /** Characters of what waits, because what it answers was not found yet; more is passed over. */
  waiting: 4_000_000,
  /** Milliseconds until nothing more is begun. */
  ms: 120_000,
}
export type CrawlBounds = typeof crawlBounds

const AT_ONCE = 4
/** Pages that one request may read, so that it is answered in time. */
const PAGES_AT_ONCE = 3
/** A status that is quoted in an answer is fetched, and what that one quotes is not. */
const QUOTE_DEPTH = 1

/** A status of a list with the addresses of what answers it, and where there are more of these. */
interface Answer {
  readonly note: FetchedNote
  readonly uris: readonly string[]
  readonly next: string | null
}

interface Crawl {
  readonly bounds: CrawlBounds
  readonly root: string
  /** Of the status, here. */
  readonly conversation: string | null
  /** Everything that was or will be looked at: circles end here. */
  readonly seen: Set<string>
  /** Addresses of statuses that belong to the thread. */
  readonly kept: Set<string>
  /** Statuses that were read and may turn out to belong to the thread, by the address of their parent. */
  readonly waiting: Map<string, Answer[]>
  /** Characters of what waits. */
  held: number
  /** Addresses that may be stored here already: their server gave nothing, or a waiting status answers them. */
  readonly unsure: Set<string>
  readonly hosts: Map<string, number>
  readonly authors: Set<string>
  readonly lookups: Lookups
  readonly endsAt: number
  /** The conversation that the status names, where its owner may list all of it (FEP-f228). */
  context: string | null
  pages: number
  quotes: number
  created: number
}

/** Counts an address against the bounds; false when it is not looked at. */
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

/** Whether a status that a list named answers something of this thread: lists may name anything. */
const belongs = ({ root, kept }: Crawl, { uri, in_reply_to }: FetchedNote): boolean =>
  uri === root || (in_reply_to !== null && kept.has(in_reply_to))

/** Whether it is for everybody, and by somebody who is within the bounds. */
const isWanted = (crawl: Crawl, note: FetchedNote): boolean => {
  if (note.visibility !== 'public' && note.visibility !== 'unlisted') return false
  if (!crawl.authors.has(note.authorUri) && crawl.authors.size >= crawl.bounds.authors) return false
  crawl.authors.add(note.authorUri)
  return true
}

/** How deep the quote of this status is looked into. */
const quoteDepth = (crawl: Crawl, { quote }: FetchedNote): number => {
  if (quote === null || crawl.quotes >= crawl.bounds.quotes) return 0
  crawl.quotes += 1
  return QUOTE_DEPTH
}

/** A server that does not answer costs its own part of the thread alone. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error) => {
    if (error instanceof Failure) return null
    throw error
  })

const isOver = (ctx: Context, crawl: Crawl): boolean => ctx.clock.now() >= crawl.endsAt

/** The rest of a list, from where the first look at it ended. */
const restOf = async (ctx: Context, crawl: Crawl, from: string | null, have: number): Promise<string[]> => {
  const uris: string[] = []
  // Each page says where the next one is.
  for (let next = from; next !== null && !isOver(ctx, crawl); ) {
    const pages = Math.min(PAGES_AT_ONCE, crawl.bounds.pages - crawl.pages)
    const most = crawl.bounds.perStatus - have - uris.length
    if (pages < 1 || most < 1) break
    const list = await orNull(ctx.call(fetchCollection, { url: next, most, pages }))
    if (list === null) break
    crawl.pages += list.pages
    uris.push(...list.items.map((item) => item.uri))
    next = list.next === next ? null : list.next
  }
  return uris
}

/** Keeps stored statuses of the same conversation, local ones included, also when no server lists or returns them. */
const keepKnown = async (ctx: Context, crawl: Crawl): Promise<void> => {
  const uris = [...crawl.unsure]
  crawl.unsure.clear()
  const ids = await idsByUri(ctx.db, uris)
  const rows = await rowsOf(ctx.db, [...new Set(ids.values())])
  for (const [uri, id] of ids) {
    const row = rows.get(id)
    if (row?.deleted_at !== null || row.conversation_id !== crawl.conversation) continue
    // Other servers chose the addresses. A reply that is kept for a hidden local status would reveal that it exists.
    if (!row.local || isOpen(row)) crawl.kept.add(uri)
  }
}

/** Stores one status of the thread; gives the addresses of what answers it. */
const keep = async (ctx: Context, crawl: Crawl, { note, uris, next }: Answer): Promise<readonly string[]> => {
  if (isOver(ctx, crawl) || !isWanted(crawl, note)) return []
  if (note.uri === crawl.root) crawl.context = note.conversation
  const stored = await orNull(storeNote(ctx, note, 0, quoteDepth(crawl, note), crawl.lookups))
  if (stored === null) return []
  if (stored.outcome === 'created') crawl.created += 1
  crawl.kept.add(note.uri)
  return [...uris, ...(await restOf(ctx, crawl, next, uris.length))]
}

/** Anybody may send what answers nothing here, so that little of it is held. */
const wait = (crawl: Crawl, answer: Answer): void => {
  const parent = answer.note.in_reply_to
  const size = JSON.stringify(answer).length
  if (parent === null || crawl.held + size > crawl.bounds.waiting) return
  crawl.held += size
  crawl.waiting.set(parent, [...(crawl.waiting.get(parent) ?? []), answer])
  crawl.unsure.add(parent)
}

/** Looks at one status that a list named: it is kept, or waits. Gives the addresses that are looked at next. */
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
  const answer = { note: found.note, uris: found.uris, next: found.next }
  if (belongs(crawl, answer.note)) return (await keep(ctx, crawl, answer)).filter((one) => admit(crawl, one))
  wait(crawl, answer)
  return []
}

/** Takes the waiting statuses whose parent belongs to the thread. */
const takeFreed = ({ kept, waiting }: Crawl): Answer[] =>
  [...waiting].flatMap(([parent, answers]) => (kept.has(parent) && waiting.delete(parent) ? answers : []))

/** Keeps what was waiting for what is of the thread now, then what was waiting for that. Gives the addresses that are looked at next. */
const keepFreed = async (ctx: Context, crawl: Crawl): Promise<string[]> => {
  await keepKnown(ctx, crawl)
  const named: string[] = []
  // Each turn keeps what answers the turn before; what is answered is here before the answer.
  for (let turn = takeFreed(crawl); turn.length > 0; turn = takeFreed(crawl)) {
    for (const answer of turn) crawl.held -= JSON.stringify(answer).length
    const found = await several(turn, AT_ONCE, async (one) =>
      (await keep(ctx, crawl, one)).filter((uri) => admit(crawl, uri)),
    )
    named.push(...found.flat())
  }
  return named
}

/** Addresses that the owner of the conversation lists; a local conversation is skipped, because it lists only known statuses. */
const listedInContext = async (ctx: Context, crawl: Crawl): Promise<string[]> => {
  const { context } = crawl
  if (context === null || !URL.canParse(context)) return []
  const { protocol, origin } = new URL(context)
  if (!/^https?:$/.test(protocol) || origin === ctx.site.origin) return []
  return restOf(ctx, crawl, context, 0)
}

/**
 * Goes through the thread below a status. `tell` hears after each level how many statuses are new here; safe to repeat, as
 * what is here is only looked at again.
 */
export const crawlReplies = async (
  ctx: Context,
  uri: string,
  tell: (created: number) => Promise<void>,
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
  // Level by level, so that what is answered is here before the answer.
  for (let depth = 0; level.length > 0 && depth <= bounds.depth && !isOver(ctx, crawl); depth++) {
    const found = await several(level, AT_ONCE, (one) => visit(ctx, crawl, one))
    const freed = await keepFreed(ctx, crawl)
    const listed = depth === 0 ? await listedInContext(ctx, crawl) : []
    level = [...found.flat(), ...freed, ...listed.filter((one) => admit(crawl, one))]
    if (level.length > 0) await tell(crawl.created)
  }
  return crawl.created
}
