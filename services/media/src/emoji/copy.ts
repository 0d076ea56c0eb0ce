/** Copies a remote custom emoji to this server. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CustomEmoji } from '@murmuration/contracts/entities'
import { fail, invalidField, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { REMOTE_PICTURE_BYTES } from '../core/file/upload.rules.js'
import { pictureById } from '../core/picture/store.js'
import { copyRemote, isCopyPermitted } from '../remote-file/index.js'
import { addEmoji, type NewEmoji } from './put.js'
import { type RemoteEmojiRow, remoteEmojiById } from './remote.store.js'

const away = () => fail('unprocessable', 'The picture could not be fetched from its server')

/**
 * Bytes of the picture's copy. Fetches the picture if there is no copy.
 * If staff rejects media of the server, an existing copy is not used either.
 */
const bytesOf = async (ctx: Context, row: Pick<RemoteEmojiRow, 'id' | 'key'>): Promise<Buffer> => {
  if (row.key === null) await copyRemote(ctx, { what: 'picture', id: row.id }, 'look')
  const picture = await pictureById(ctx.db, row.id)
  const key = picture?.key ?? null
  if (picture === null || key === null || !(await isCopyPermitted(ctx, picture))) throw away()
  return ctx.workDirectories.use(async (dir) => {
    const path = join(dir, 'copy')
    if (!(await ctx.files.copyTo(key, path))) throw away()
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
  const shortcode = it.shortcode ?? row.shortcode
  if (shortcode === null) throw invalidField("Shortcode can't be blank")
  const bytes = await bytesOf(ctx, row)
  return addEmoji(ctx, { ...it, shortcode, bytes, max: REMOTE_PICTURE_BYTES.emoji })
}
