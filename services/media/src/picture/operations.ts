/** Handlers of avatars, headers and remote pictures. */
import { join } from 'node:path'
import {
  cleanUpReplaced,
  dropPictures,
  fetchRemoteJob,
  makePicture,
  proxyUrls,
  replacedPictures,
  StagedFile,
} from '@murmuration/contracts/media'
import { remoteAddress } from '@murmuration/text'
import type { Context } from '../context.js'
import { freshKey } from '../core/file/files.js'
import { deleteFiles, storeFiles } from '../core/file/store-files.js'
import { fileTypeOf } from '../core/file/type.rules.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { checkPicture, PICTURE_BYTES, unverified } from '../core/file/upload.rules.js'
import { datedAddress } from '../core/picture/dated-address.rules.js'
import { drawPicture } from '../core/picture/draw.js'
import {
  deleteReplacedPictures,
  dropPictures as dropRows,
  insertPicture,
  insertRemotePictures,
  knownPictures,
  nameEmojis,
  replacedPictures as replacedRows,
  retryGivenUp,
  unmarkReplaced,
  type Wanted,
} from '../core/picture/store.js'
import { EMOJI_GIVEN_UP_MS, REQUEUE_AFTER_MS } from '../core/remote-file/retry.rules.js'
import { handle } from '../handlers.js'
import { releaseFiles } from '../upkeep/index.js'
import { pictureAddress, stillAddress } from './view.js'

const AREAS = { avatar: 'avatars', header: 'headers' } as const
const FIELDS = { avatar: 'Avatar', header: 'Header' } as const

/** Creates an avatar or header from an upload. */
export const make = handle(makePicture, async (ctx, _viewer, { owner, kind, key: staged }) => {
  if (!StagedFile.shape.key.safeParse(staged).success) throw unverified()
  try {
    const seen = await ctx.files.head(staged)
    checkPicture(FIELDS[kind], seen && fileTypeOf(seen.head), seen?.size ?? 0, PICTURE_BYTES[kind])
    return await ctx.workDirectories.use(async (dir) => {
      await ctx.files.copyTo(staged, join(dir, 'in'))
      const drawn = await drawPicture(ctx, dir, kind, (_copy, mediaType) => freshKey(AREAS[kind], mediaType))
      const { key, still_key, media_type, files } = drawn
      const id = ctx.ids.next()
      const created_at = ctx.clock.date()
      await storeFiles(ctx, files, (tx, size) =>
        insertPicture(tx, { id, owner, kind, key, still_key, media_type, size, created_at }),
      )
      return {
        url: ctx.files.address(key),
        static_url: ctx.files.address(still_key ?? key),
        media_type,
        key,
      }
    })
  } finally {
    await ctx.files.delete([staged]).catch((error) => ctx.log.warn({ error }, 'an upload was not deleted from staging'))
  }
})

/** Deletes pictures that are no longer shown. */
export const drop = handle(dropPictures, async (ctx, _viewer, { owner, keys }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const pictures = await dropRows(tx, owner, keys)
    await insertUnusedFiles(tx, pictures.flat(), ctx.clock.date())
    return pictures
  })
  await deleteFiles(ctx, gone.flat())
  return { dropped: gone.length }
})

const nameOf = (one: Pick<Wanted, 'owner' | 'kind'> & { remote_url: string | null }): string =>
  `${one.kind} ${one.owner} ${one.remote_url}`

/** Maximum number of characters of a stored shortcode. An emoji with a longer one is stored without it. */
const MAX_SHORTCODE = 200

/** Emoji that are already stored, and whose shortcode is not stored yet. */
const unnamedAmong = (known: Awaited<ReturnType<typeof knownPictures>>, wanted: readonly Wanted[]) => {
  const shortcodes = new Map(wanted.map((one) => [nameOf(one), one.shortcode]))
  return known.flatMap((row) => {
    const shortcode = row.shortcode === null ? shortcodes.get(nameOf(row)) : null
    return shortcode ? [{ id: row.id, shortcode }] : []
  })
}

/**
 * Returns addresses of copies of remote pictures. New pictures are stored and queued for fetching. An emoji that may not
 * be copied, or was given up, is left out, so that its shortcode stays text. Avatars and headers are always listed.
 * Without a copy, their address leads to the default picture.
 */
export const remote = handle(proxyUrls, async (ctx, _viewer, { items }) => {
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const pictures = items.flatMap(({ owner, kind, remote: text, updated = null, domain, shortcode }) => {
    const address = remoteAddress(text, own)
    // The copies are cached by clients without limit, so each version of an emoji needs its own URL.
    const remote_url = address !== null && kind === 'emoji' ? datedAddress(address, updated) : address
    // For an emoji, the owner is its domain.
    const of = domain ?? (kind === 'emoji' ? owner : null)
    const name = kind === 'emoji' && shortcode && shortcode.length <= MAX_SHORTCODE ? shortcode : null
    return remote_url === null || (kind === 'emoji' && !ctx.addresses.mayCopy(of, remote_url))
      ? []
      : [{ id: ctx.ids.next(), text, owner, kind, remote_url, domain: of, shortcode: name }]
  })
  const wanted = [...new Map(pictures.map((one) => [nameOf(one), one])).values()]
  const before = await knownPictures(ctx.db, wanted)
  const unnamed = unnamedAmong(before, wanted)
  if (unnamed.length > 0) await ctx.db.tx((tx) => nameEmojis(tx, unnamed))
  const again = before.filter((row) => row.replaced).map((row) => row.id)
  const shown = new Set(again.length > 0 ? await ctx.db.tx((tx) => unmarkReplaced(tx, again)) : [])
  // A picture that is marked as replaced may have been deleted since it was read. Such a picture is stored again.
  const kept = before.filter((row) => !row.replaced || shown.has(row.id))
  const absent = kept.filter((row) => row.kind === 'emoji' && row.given_up_at !== null)
  const now = ctx.clock.date()
  const due = absent.filter(
    (row) => row.retry_at === null && now.getTime() - (row.given_up_at?.getTime() ?? 0) > EMOJI_GIVEN_UP_MS,
  )
  if (due.length > 0) {
    const ids = due.map((row) => row.id)
    await ctx.db.tx((tx) => retryGivenUp(tx, ids, now))
  }
  const names = new Set(kept.map(nameOf))
  const missing = wanted.filter((one) => !names.has(nameOf(one)))
  if (missing.length > 0)
    await ctx.db.tx(async (tx) => {
      const ids = await insertRemotePictures(tx, missing, { now, retryAt: new Date(now.getTime() + REQUEUE_AFTER_MS) })
      await ctx.queue(tx, fetchRemoteJob, ...ids.map((id) => ({ what: 'picture' as const, id })))
    })
  const known = missing.length > 0 ? await knownPictures(ctx.db, wanted) : kept
  const byName = new Map(known.map((row) => [nameOf(row), row]))
  const hidden = new Set(absent.map((row) => row.id))
  const found = pictures.flatMap((one) => {
    const row = byName.get(nameOf(one))
    return row && !hidden.has(row.id) ? [{ text: one.text, row }] : []
  })
  return {
    urls: Object.fromEntries(found.map(({ text, row }) => [text, pictureAddress(ctx.addresses, row.id)])),
    static_urls: Object.fromEntries(found.map(({ text, row }) => [text, stillAddress(ctx.addresses, row)])),
  }
})

/** Milliseconds (one hour) after the replacement of a picture in which clients may still show it. */
const SHOWN_MS = 3_600_000
const MAX_REPLACED = 500

const replacedBefore = (ctx: Context): Date => new Date(ctx.clock.now() - SHOWN_MS)

/** Returns pictures that are marked as replaced. The accounts service decides which of them are still shown. */
export const replaced = handle(replacedPictures, async (ctx) => {
  const rows = await replacedRows(ctx.db, replacedBefore(ctx), MAX_REPLACED)
  return { pictures: rows.map(({ remote_url, ...row }) => ({ ...row, remote: remote_url })) }
})

/**
 * Removes the marks of pictures that are shown, and deletes the others. A picture is not deleted if its mark was
 * removed or renewed meanwhile.
 */
export const cleanUp = handle(cleanUpReplaced, (ctx, _viewer, { shown, old }) =>
  ctx.db.tx(async (tx) => {
    const before = replacedBefore(ctx)
    await unmarkReplaced(tx, shown, before)
    const gone = await deleteReplacedPictures(tx, old, before)
    await releaseFiles(ctx, tx, gone.flat())
    return { deleted: gone.length }
  }),
)
