/** `GET /ap/users/:id/collections/featured`: pinned statuses, whole where everybody may see them, else by address. */

import { noteContext } from '@murmuration/activitypub/vocabulary/context'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeWholeCollection } from '@murmuration/activitypub/vocabulary/write-collection'
import { showFeatured } from '@murmuration/contracts/federation'
import { accountTimeline } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer } from '../../requests/answer.js'
import { noteReader } from '../../requests/note-reader.js'
import { sourcesOf } from '../../views/local.js'
import { noteDocument } from '../../views/note.js'

export const featured = handle(showFeatured, async (ctx, _viewer, input) => {
  const { request, asker, person, shutOut } = await aboutPerson(ctx, input)
  // As a visitor sees the profile: what only followers may see is not among them.
  const pinned = shutOut ? [] : await ctx.call(accountTimeline, { id: person.id, pinned: true, limit: 40 })
  const { sources, people } = await sourcesOf(
    ctx,
    pinned.map((it) => it.id),
  )
  const place = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const items = sources
    .map((it) => noteDocument(it, people, place))
    .filter((it) => it !== null)
    .map(({ '@context': _context, ...node }) => node)
  await noteReader(ctx, sources, { asker, request })
  const document = writeWholeCollection({ uri: actorAddresses(person.uri).featured, items, context: noteContext })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
