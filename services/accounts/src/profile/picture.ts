/** Creates avatars and headers of local accounts from uploads, through the service media. */
import { Failure } from '@murmuration/contracts/kit'
import { dropPictures, makePicture, type StagedFile } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import type { StoredPicture } from '../core/account.store.js'
import { problem, refusalOf } from '../core/problem.rules.js'

/** Creates a picture; undefined without an upload. A file that is no picture causes a validation error of the field `kind`. */
export const pictureFrom = async (
  ctx: Pick<Context, 'call'>,
  owner: string,
  kind: 'avatar' | 'header',
  file: StagedFile | null,
): Promise<StoredPicture | undefined> => {
  if (!file) return undefined
  try {
    return await ctx.call(makePicture, { owner, kind, key: file.key })
  } catch (error) {
    if (error instanceof Failure && error.code === 'unprocessable')
      throw refusalOf([
        problem(kind, 'ERR_INVALID', error.message.replace(/^Validation failed: (?:(?:Avatar|Header) )?/, '')),
      ])
    throw error
  }
}

/** Deletes pictures that are no longer shown. The call is not awaited: if it fails, the files only use space. */
export const dropReplaced = (
  ctx: Pick<Context, 'call' | 'log'>,
  owner: string,
  before: readonly (StoredPicture | null)[],
): void => {
  const keys = before.map((picture) => picture?.key).filter((key) => key !== undefined)
  if (keys.length === 0) return
  ctx.call(dropPictures, { owner, keys }).catch((error) => ctx.log.warn({ error }, 'an old picture was not dropped'))
}
