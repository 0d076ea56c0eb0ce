/** `GET …/statuses/:status/replies`: addresses of what everybody may see among the answers. */
import { showReplies } from '@murmuration/contracts/federation'
import { showThread } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { aboutStatus } from '../../requests/about-status.js'
import { documentAnswer, KEEP } from '../../requests/answer.js'
import { writePage } from '../../vocabulary/write-collection.js'

export const replies = handle(showReplies, async (ctx, _viewer, input) => {
  const { request, asker, status } = await aboutStatus(ctx, input)
  const uri = `${status.uri}/replies`
  // The thread as a visitor sees it: bounded, and without what is not for everybody.
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const { descendants } = isOpen ? await ctx.call(showThread, { id: status.id }) : { descendants: [] }
  const direct = descendants.filter((it) => it.in_reply_to_id === status.id)
  // The author's own answers first: they carry the thread on.
  const ordered = [...direct].sort(
    (a, b) => Number(b.account.id === status.author) - Number(a.account.id === status.author),
  )
  const page = writePage({
    uri: `${uri}?page=true`,
    partOf: uri,
    items: ordered.map((it) => it.uri),
    ordered: false,
  })
  const { '@context': context, ...first } = page
  const document = request.query.has('page') ? page : { '@context': context, id: uri, type: 'Collection', first }
  return documentAnswer(request, document, { asker, secure: ctx.self.secure, seconds: KEEP.page })
})
