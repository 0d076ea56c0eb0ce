/** Shows a hashtag on the viewer’s profile; the same one again is answered as it is. */
import { invalidField } from '@murmuration/contracts/kit'
import { featuredTagAdd } from '@murmuration/contracts/statuses'
import { featureTag } from '../../changes/featured-tag.js'
import { namedTag } from '../../domain/tag.js'
import { handle } from '../../doors.js'
import { acctOf, featuredTag } from '../../views/featured-tag.js'

export const add = handle(featuredTagAdd, async (ctx, viewer, { name }) => {
  const tag = namedTag(name)
  if (!tag) throw invalidField(name.trim() === '' ? "Name can't be blank" : 'Name is invalid')
  const acct = await acctOf(ctx, viewer.id)
  return featuredTag(ctx.site.origin, acct, await featureTag(ctx, viewer.id, tag))
})
