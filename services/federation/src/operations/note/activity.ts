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
  const boosted = status.reblog_of !== null && status.reblog_of_author === status.author ? [status.reblog_of] : []
  const { sources, people } = await sourcesOf(ctx, [status.id, ...boosted])
  const [source, boosts] = sources
  const place = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const document = source && activityDocument(source, people, place, boosts)
  if (!document) throw notFound()
  await noteReader(ctx, typeof document.object === 'object' ? sources : [source], { asker, request })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
