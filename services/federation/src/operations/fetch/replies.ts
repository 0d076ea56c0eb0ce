/** Reads a status and which answers its server knows. */
import { fetchReplies } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { repliesOf, walk } from '../../outside/fetch/collection.js'
import { documentByUrl, noteIn } from '../../outside/fetch/object.js'
import { placeBehind } from '../../outside/fetch/place.js'
import { failed, keepMsOf, type Outcome } from '../../outside/fetch/reader.js'

export const replies = handle(fetchReplies, async (ctx, _viewer, { uri, most, pages }) => {
  const work = async () => {
    const place = placeBehind(ctx)
    const now = ctx.clock.now()
    const document = await documentByUrl(place, uri)
    const found = document.ok ? await noteIn(place, document, now) : document
    const note = found.ok ? found.note : null
    if (!document.ok || note === null)
      return { outcome: (found.ok ? 'refused' : found.outcome) as Outcome, note: null, uris: [], pages: 0, next: null }
    const from = repliesOf(document.document)
    const listed = from ? await walk(place, from, document.uri, { most, pages }, now) : failed('not-found')
    const uris = listed.ok ? listed.items.map((item) => item.uri) : []
    return {
      outcome: 'ok' as const,
      note,
      uris,
      pages: listed.ok ? listed.pages : 0,
      next: listed.ok ? listed.next : null,
    }
  }
  return ctx.reader.flight.run(`replies ${most} ${pages} ${uri}`, work, (it) => keepMsOf(it.outcome))
})
