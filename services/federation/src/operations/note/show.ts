/** `GET /ap/users/:id/statuses/:status`: a status as a Note. */
import { showNote } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { aboutStatus } from '../../requests/about-status.js'
import { documentAnswer, KEEP, pageRedirect } from '../../requests/answer.js'
import { noteReader } from '../../requests/note-reader.js'
import { sourcesOf } from '../../views/local.js'
import { noteDocument } from '../../views/note.js'

export const show = handle(showNote, async (ctx, _viewer, input) => {
  const { request, asker, person, status, page } = await aboutStatus(ctx, input)
  if (page) return pageRedirect(status.url ?? person.url)
  const { sources, people } = await sourcesOf(ctx, [status.id])
  const [source] = sources
  // A boost has no content of its own: its document is the activity.
  const document =
    source && noteDocument(source, people, { origin: ctx.site.origin, localDomain: ctx.site.localDomain })
  if (!document) throw notFound()
  await noteReader(ctx, [source], { asker, request })
  const seconds = source.quote?.pending ? KEEP.pending : KEEP.document
  return documentAnswer(request, document, { asker, secure: ctx.self.secure, seconds })
})
