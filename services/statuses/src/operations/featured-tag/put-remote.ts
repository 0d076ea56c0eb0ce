/** A remote account put a hashtag on its profile or took one off. */
import { featuredTagPutRemote } from '@murmuration/contracts/statuses'
import { setRemoteFeatured } from '../../changes/featured-tag.js'
import { namedTag } from '../../domain/tag.js'
import { handle } from '../../doors.js'

export const putRemote = handle(featuredTagPutRemote, async (ctx, _viewer, { account, add, remove }) => {
  const [added, removed] = [add, remove].map((name) => (name === null ? null : namedTag(name)))
  const changed = await setRemoteFeatured(ctx, account, (there) => [
    ...there.filter((row) => row.tag !== removed?.name).map((row) => ({ name: row.tag, display: row.name })),
    ...(added ? [added] : []),
  ])
  return { changed }
})
