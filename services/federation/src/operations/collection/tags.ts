/** `GET /ap/users/:id/collections/tags`: featured hashtags. */

import { hashtagContext } from '@murmuration/activitypub/vocabulary/context'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { writeHashtag } from '@murmuration/activitypub/vocabulary/write-tag'
import { showFeaturedTags } from '@murmuration/contracts/federation'
import { featuredTagNames } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer } from '../../requests/answer.js'

export const tags = handle(showFeaturedTags, async (ctx, _viewer, input) => {
  const { request, asker, person, shutOut } = await aboutPerson(ctx, input)
  const uri = actorAddresses(person.uri).featuredTags
  const { tags: shown } = shutOut ? { tags: [] } : await ctx.call(featuredTagNames, { account: person.id })
  const items = shown.map(writeHashtag)
  const document = writeWholeCollection({ uri, items, ordered: false, context: hashtagContext })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
