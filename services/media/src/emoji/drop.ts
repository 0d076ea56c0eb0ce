/** Removes a custom emoji with its picture, in the transaction of the caller. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type EmojiRow, removeEmoji } from '../core/emoji/store.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { dropPictures } from '../core/picture/store.js'

/** Value of `owner` in rows of pictures of local emoji. */
export const OWNER = 'emoji'

/** Removes an emoji. Returns the keys of files to delete after the commit. */
export const dropEmoji = async (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { shortcode, key }: Pick<EmojiRow, 'shortcode' | 'key'>,
): Promise<string[]> => {
  await removeEmoji(tx, shortcode)
  const files = (await dropPictures(tx, OWNER, [key])).flat()
  await insertUnusedFiles(tx, files, ctx.clock.date())
  return files
}
