/** `GET …/statuses/:status/activity`: the Create of a status, or the Announce of a boost. */
import { showNoteActivity } from '@murmuration/contracts/federation'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { aboutStatus } from '../../requests/about-status.js'
import { documentAnswer, pageRedirect } from '../../requests/answer.js'
import { noteReader } from '../../requests/note-reader.js'
import { sourcesOf } from '../../views/local.js'
import { activityDocument } from '../../views/note.js'

export const activity = handle(showNoteActivity, async (ctx, _viewer, input) => {
  const { request, asker, person, status, page } = await aboutStatus(ctx, input)
  if (page) return pageRedirect(status.url ?? person.url)
  const { sources, people } = await sourcesOf(ctx, [status.id])
  const [source] = sources
  const place = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const document = source && activityDocument(source, people, place)
  if (!document) throw notFound()
  await noteReader(ctx, [source], asker)
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
