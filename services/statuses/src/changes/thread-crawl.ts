/** Brings in what was answered to a remote status, as the servers of the thread list it: level by level, within bounds. */
import { type FetchedNote, fetchCollection, fetchReplies } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { heedAnswer } from './absence.js'
import { keepNote, type Lookups } from './resolve.js'
import { several } from './several.js'

/** What one look at a thread may cost. */
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
  /** Milliseconds until nothing more is begun. */
  ms: 120_000,
}
export type CrawlBounds = typeof crawlBounds

const AT_ONCE = 4
/** Pages that one request may read, so that it is answered in time. */
const PAGES_AT_ONCE = 3
/** A status that is quoted in an answer is fetched, and what that one quotes is not. */
const QUOTE_DEPTH = 1

interface Crawl {
  readonly bounds: CrawlBounds
  readonly root: string
  /** Everything that was or will be looked at: circles end here. */
  readonly seen: Set<string>
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

/** Whether a status that a list named is part of this thread and for everybody: lists may name anything. */
const belongs = (crawl: Crawl, note: FetchedNote): boolean => {
  if (note.visibility !== 'public' && note.visibility !== 'unlisted') return false
  if (note.uri !== crawl.root && !(note.in_reply_to !== null && crawl.seen.has(note.in_reply_to))) return false
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

/** The rest of a list, from where the first look at it ended. */
const restOf = async (ctx: Context, crawl: Crawl, from: string | null, have: number): Promise<string[]> => {
  const uris: string[] = []
  // Each page says where the next one is.
  for (let next = from; next !== null && ctx.clock.now() < crawl.endsAt; ) {
    const pages = Math.min(PAGES_AT_ONCE, crawl.bounds.pages - crawl.pages)
    const most = crawl.bounds.perStatus - have - uris.length
    if (pages < 1 || most < 1) break
    const read = await orNull(ctx.call(fetchCollection, { url: next, most, pages }))
    if (read === null) break
    crawl.pages += read.pages
    uris.push(...read.items.map((item) => item.uri))
    next = read.next === next ? null : read.next
  }
  return uris
}

/** Stores one status of the thread; gives the addresses of what answers it. */
const visit = async (ctx: Context, crawl: Crawl, uri: string): Promise<string[]> => {
  if (ctx.clock.now() >= crawl.endsAt) return []
  const pages = Math.max(0, Math.min(PAGES_AT_ONCE, crawl.bounds.pages - crawl.pages))
  const read = await orNull(ctx.call(fetchReplies, { uri, most: crawl.bounds.perStatus, pages }))
  if (read) await heedAnswer(ctx, uri, read.outcome)
  if (!read?.note) return []
  crawl.pages += read.pages
  if (!belongs(crawl, read.note)) return []
  if (uri === crawl.root) crawl.context = read.note.conversation
  const stored = await orNull(keepNote(ctx, read.note, 0, quoteDepth(crawl, read.note), crawl.lookups))
  if (stored === null) return []
  if (stored.outcome === 'created') crawl.created += 1
  return [...read.uris, ...(await restOf(ctx, crawl, read.next, read.uris.length))]
}

/** What the owner of the conversation lists of it; one of ours lists nothing that is not here. */
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
  const crawl: Crawl = {
    bounds,
    root: uri,
    seen: new Set([uri]),
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
  for (let depth = 0; level.length > 0 && depth <= bounds.depth && ctx.clock.now() < crawl.endsAt; depth++) {
    const named = (await several(level, AT_ONCE, (one) => visit(ctx, crawl, one))).flat()
    if (depth === 0) named.push(...(await listedInContext(ctx, crawl)))
    level = named.filter((one) => admit(crawl, one))
    if (level.length > 0) await tell(crawl.created)
  }
  return crawl.created
}
