/**
 * Makes preview cards of links. Each address is fetched once in the cluster, and every status with the link shows its
 * card.
 */
import { creditAllowed, resolveAccount } from '@murmuration/contracts/accounts'
import { fail, notYet } from '@murmuration/contracts/kit'
import { putRemoteAttachments } from '@murmuration/contracts/media'
import { fanOut, previewLink, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { requireLoaded, timeOfId } from '@murmuration/kernel'
import { firstLink, handleKey, parseHandle } from '@murmuration/text'
import type { Context } from '../context.js'
import { pictureInUse, withLeases } from '../core/preview-card/lease.js'
import { holdLease } from '../core/preview-card/lease.store.js'
import { countShares } from '../core/preview-card/usage.store.js'
import type { StatusRow } from '../core/status/store.js'
import { dayOfUse } from '../core/tag/rules.js'
import { NotResponding } from '../core/web.client.js'
import { claimLink, linkOf, releaseLink, storeLinkResult } from './link.store.js'
import { readPage } from './page.client.js'
import { freshUntil, linkKey, type PreviewData, retryAt } from './rules.js'
import { awaitPreview, previewId, putPreview, showPreview } from './store.js'

/**
 * Milliseconds for which a process claims a link. A fetch takes at most half a minute. After this time another process
 * may fetch the link.
 */
const HELD_MS = 60_000
const DELAY_MS = 60_000
/** Age of a status in milliseconds up to which open connections are sent its new preview card. */
const WATCHED_MS = 900_000

/** Time at which the link of a remote status is fetched: a random moment within the next 60 seconds, because many servers fetch it. */
export const previewDueAt = (ctx: Pick<Context, 'clock'>): Date => new Date(ctx.clock.now() + Math.random() * DELAY_MS)

/** Returns whether a URL is on a host of this server. */
const isOurs =
  (ctx: Pick<Context, 'site'>) =>
  (url: URL): boolean =>
    [new URL(ctx.site.origin).host, ctx.site.localDomain, ctx.site.webDomain].includes(url.host)

/** The link of a status that gets a preview card; null if it has attachments, quotes a status or is a boost. */
export const linkIn = (
  ctx: Pick<Context, 'site'>,
  row: Pick<StatusRow, 'html' | 'has_media' | 'has_quote' | 'reblog_of_id'>,
): string | null =>
  row.has_media || row.has_quote || row.reblog_of_id !== null ? null : firstLink(row.html, isOurs(ctx))

/** Queues the link of a new or edited status. Links of remote statuses wait for a random time first. */
export const queuePreview = async (
  ctx: Context,
  tx: Tx,
  status: { id: string; local: boolean; html: string },
): Promise<void> => {
  if (!status.html.includes('<a ')) return
  if (status.local) await ctx.queue(tx, previewLink, { status: status.id })
  else await awaitPreview(tx, status.id, previewDueAt(ctx))
}

/** The account that a page names as its author, and whether that account allows the credit. */
const authorOf = async (ctx: Context, data: PreviewData): Promise<{ id: string; allowed: boolean } | null> => {
  const handle = data.creator === null ? null : parseHandle(data.creator.replace(/^@?/, '@'))
  if (handle === null) return null
  try {
    const { record } = await ctx.call(resolveAccount, { handle: handleKey(handle, ctx.site.handleDomains) })
    if (!record || record.suspended || !record.usable) return null
    const { allowed } = await ctx.call(creditAllowed, { id: record.id, host: new URL(data.url).hostname })
    return { id: record.id, allowed }
  } catch (error) {
    ctx.log.info({ error }, 'the author of a linked page could not be looked up')
    return null
  }
}

const imageOf = async (ctx: Context, id: string, data: PreviewData): Promise<string | null> => {
  if (data.image === null) return null
  const image = {
    url: data.image,
    media_type: 'image/*',
    description: data.imageDescription || null,
    blurhash: null,
    width: null,
    height: null,
    focus: null,
  }
  const { ids } = await ctx.call(putRemoteAttachments, {
    owner: id,
    status: id,
    domain: new URL(data.url).hostname,
    attachments: [image],
  })
  return ids[0] ?? null
}

interface Found {
  key: string
  data: PreviewData
  now: number
}

/**
 * Stores the preview card of a page with its picture. While the leases last, the media service does not delete the
 * picture. Leases are taken by page address and by card id, because two links may lead to the same new page.
 */
const storeCard = async (ctx: Context, { key, data, now }: Found): Promise<string> => {
  const author = await authorOf(ctx, data)
  const credits = {
    author: author?.allowed ? author.id : null,
    claimed: author && !author.allowed ? author.id : null,
  }
  return withLeases(ctx, [data.url], async (page) => {
    const id = await ctx.db.tx((tx) => previewId(tx, data.url, ctx.ids.next()))
    return withLeases(ctx, [id], async (card) => {
      const image = await imageOf(ctx, id, data)
      return ctx.db.tx(async (tx) => {
        if (!(await holdLease(tx, page)) || !(await holdLease(tx, card))) throw pictureInUse()
        const preview = await putPreview(tx, data, { id, image, ...credits }, new Date(now))
        await storeLinkResult(tx, key, { preview, failures: 0, nextAt: freshUntil(now) })
        return preview
      })
    })
  })
}

/**
 * Reads a page that this process claimed, and stores the result. If `mayWait`, throws `notYet` for a page whose host does
 * not respond to other requests.
 */
const fetchLink = async (ctx: Context, key: string, failures: number, mayWait: boolean): Promise<string | null> => {
  const now = ctx.clock.now()
  let data: PreviewData | null
  try {
    data = await readPage(ctx.web, key, isOurs(ctx))
  } catch (error) {
    if (error instanceof NotResponding && mayWait) throw notYet('The linked page cannot be read yet')
    // Any failure of the other server is stored, with the time of the next try.
    ctx.log.info({ error: (error as { code?: string }).code }, 'a linked page could not be read')
    const nextAt = retryAt(now, failures)
    await storeLinkResult(ctx.db, key, { preview: null, failures: Math.min(failures + 1, 100), nextAt })
    return null
  }
  if (data !== null) return storeCard(ctx, { key, data, now })
  await storeLinkResult(ctx.db, key, { preview: null, failures: 0, nextAt: freshUntil(now) })
  return null
}

/**
 * The preview card of an address; null if there is none. Throws while another process fetches it, and while the domain
 * blocks are not loaded.
 */
const previewAt = async (ctx: Context, key: string, mayWait: boolean): Promise<string | null> => {
  requireLoaded(ctx.policy)
  const now = ctx.clock.now()
  const claimed = await claimLink(ctx.db, key, new Date(now), new Date(now + HELD_MS))
  if (claimed)
    return fetchLink(ctx, key, claimed.failures, mayWait).catch(async (error) => {
      await releaseLink(ctx.db, key)
      throw error
    })
  const known = await linkOf(ctx.db, key, new Date(now))
  if (known?.held && !known.fresh)
    throw fail('unavailable', 'The page is being fetched by another process', { retryAfter: 2 })
  return known?.preview_id ?? null
}

/**
 * Stores the preview card of the link in the current text of a status. Fetches the page of the link if no fresh card of
 * the page is stored. `mayWait`: the caller tries again later.
 */
export const preview = async (ctx: Context, row: StatusRow, mayWait: boolean): Promise<void> => {
  const url = linkIn(ctx, row)
  const id = url === null ? null : await previewAt(ctx, linkKey(url), mayWait)
  if (id === null && row.preview_id === null) return
  await ctx.db.tx(async (tx) => {
    const fresh = await showPreview(tx, row, id !== null && url !== null ? { id, url } : null)
    const day = dayOfUse(timeOfId(row.id), ctx.clock.now())
    if (fresh && day !== null) await countShares(tx, [{ day, account: row.author_id, status: row.id }])
    const now = ctx.clock.now()
    if (fresh && now - timeOfId(row.id) < WATCHED_MS) await ctx.queue(tx, fanOut, { status: row.id, edited: now })
  })
  ctx.invalidations.send(statusInvalidation, [row.id])
}
