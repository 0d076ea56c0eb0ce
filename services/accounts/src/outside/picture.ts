/** Avatars and headers of local people, made by media from an upload. */
import type { StagedFile } from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { makePicture } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { problem, refusalOf } from '../domain/problem.js'
import type { StoredPicture } from '../store/account.js'

/** Undefined when nothing was sent; a file that is no picture is refused by the name of its field. */
export const pictureFrom = async (
  ctx: Pick<Context, 'call'>,
  owner: string,
  kind: 'avatar' | 'header',
  file: StagedFile | undefined,
): Promise<StoredPicture | undefined> => {
  if (!file) return undefined
  try {
    const { url, static_url, media_type } = await ctx.call(makePicture, { owner, kind, key: file.key })
    return { url, static_url, media_type }
  } catch (error) {
    if (error instanceof Failure && error.code === 'unprocessable')
      throw refusalOf([problem(kind, 'ERR_INVALID', error.message.replace(/^Validation failed: /, ''))])
    throw error
  }
}
