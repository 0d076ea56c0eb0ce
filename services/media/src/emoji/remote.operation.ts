/**
 * Handlers that list, copy and delete remote custom emoji, check a new emoji, return the picture of one, and start the
 * purge task.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidField, notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import {
  checkEmoji as checkEmojiOperation,
  copyRemoteEmoji,
  deleteRemoteEmoji,
  emojiPicture,
  listRemoteEmojis,
  mediaTasks,
  purgeEmojis,
  type RemoteEmoji,
} from '@murmuration/contracts/media'
import { endsOf } from '@murmuration/db'
import { startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { emojiByShortcode } from '../core/emoji/store.js'
import { handle } from '../handlers.js'
import { pictureAddress, stillAddress } from '../picture/index.js'
import { copyEmoji } from './copy.js'
import { deleteEmojiOf, purgeEmojiKind } from './purge.js'
import { checkEmoji } from './put.js'
import { countEmojisOf, type RemoteEmojiRow, remoteEmojiPage } from './remote.store.js'

const domainOf = (given: string | null | undefined): string | null => {
  if (!given) return null
  const domain = normaliseDomain(given)
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  return domain
}

const remoteEmojiOf = (ctx: Context, row: RemoteEmojiRow): RemoteEmoji => ({
  id: row.id,
  shortcode: row.shortcode,
  domain: row.domain,
  url: pictureAddress(ctx.addresses, row.id),
  static_url: stillAddress(ctx.addresses, row),
  taken: row.taken,
})

export const list = handle(listRemoteEmojis, async (ctx, _viewer, { q, domain, exact, ...page }) => {
  const rows = await remoteEmojiPage(ctx.db, { q: q ?? null, domain: domainOf(domain), exact }, page)
  return pageReply<RemoteEmoji>(
    listRemoteEmojis.output,
    rows.map((row) => toJson(remoteEmojiOf(ctx, row))),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})

export const copy = handle(copyRemoteEmoji, (ctx, viewer, { id, shortcode, category, overwrite }) =>
  copyEmoji(ctx, id, { by: viewer?.id ?? null, shortcode, category: category ?? null, overwrite }),
)

export const check = handle(checkEmojiOperation, async (ctx, _viewer, { shortcode, image }) => {
  await checkEmoji(ctx, { shortcode, bytes: Buffer.from(image, 'base64') })
  return { shortcode, taken: (await emojiByShortcode(ctx.db, shortcode)) !== null }
})

export const picture = handle(emojiPicture, async (ctx, _viewer, { shortcode }) => {
  const row = await emojiByShortcode(ctx.db, shortcode)
  if (!row) throw notFound()
  return ctx.workDirectories.use(async (dir) => {
    const path = join(dir, 'picture')
    if (!(await ctx.files.copyTo(row.key, path))) throw notFound()
    return { media_type: row.media_type, image: (await readFile(path)).toString('base64') }
  })
})

export const purge = handle(purgeEmojis, (ctx, by, { remote_only, domain, dry_run }) => {
  const of = domainOf(domain)
  return startTask(ctx, mediaTasks, purgeEmojiKind, {
    by,
    input: { remoteOnly: remote_only || of !== null, domain: of },
    dryRun: dry_run,
  })
})

export const deleteMatching = handle(deleteRemoteEmoji, async (ctx, _viewer, { domain, below, dry_run }) => ({
  emojis: dry_run ? await countEmojisOf(ctx.db, domain, below) : await deleteEmojiOf(ctx, domain, below),
}))
