/** Responds with a collection of a status that has only `totalItems`, such as its likes. */

import { writeHiddenCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import type { Reply } from '@murmuration/contracts/kit'
import type { NoteData } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { sourcesOf } from '../core/address/local.js'
import { aboutStatus } from './about-status.js'
import { documentResponse } from './response.js'

export const countResponse = async (
  ctx: Context,
  input: unknown,
  name: 'likes' | 'shares',
  count: (source: NoteData) => number,
): Promise<Reply<string>> => {
  const { request, requester, status } = await aboutStatus(ctx, input)
  const { sources } = await sourcesOf(ctx, [status.id])
  const totalItems = sources[0] ? count(sources[0]) : 0
  const document = writeHiddenCollection({ uri: `${status.uri}/${name}`, totalItems, ordered: false })
  return documentResponse(request, document, { requester, secure: ctx.self.secure })
}
