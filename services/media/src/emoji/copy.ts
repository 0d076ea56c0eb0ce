/** Copies a custom emoji of another server to this one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CustomEmoji } from '@murmuration/contracts/entities'
import { fail, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { REMOTE_PICTURE_BYTES } from '../core/upload.rules.js'
import { copyRemote } from '../remote-file/index.js'
import { addEmoji, type NewEmoji } from './put.js'
import { type RemoteEmojiRow, remoteEmojiById } from './remote.store.js'

const away = () => fail('unprocessable', 'The picture could not be fetched from its server')

/** The bytes of the copy that this server has of the picture; it is fetched if there is none. */
const bytesOf = async (ctx: Context, row: RemoteEmojiRow): Promise<Buffer> => {
  if (row.key === null) await copyRemote(ctx, { what: 'picture', id: row.id }, 'look')
  const key = row.key ?? (await remoteEmojiById(ctx.db, row.id))?.key ?? null
  if (key === null) throw away()
  return ctx.benches.use(async (dir) => {
    const path = join(dir, 'copy')
    if (!(await ctx.files.bring(key, path))) throw away()
    return readFile(path)
  })
}

export const copyEmoji = async (
  ctx: Context,
  id: string,
  it: Pick<NewEmoji, 'by' | 'category' | 'overwrite'> & { shortcode: string | undefined },
): Promise<CustomEmoji> => {
  const row = await remoteEmojiById(ctx.db, id)
  if (!row) throw notFound()
  const bytes = await bytesOf(ctx, row)
  return addEmoji(ctx, { ...it, shortcode: it.shortcode ?? row.shortcode, bytes, most: REMOTE_PICTURE_BYTES.emoji })
}
