/** `GET …/statuses/:status/replies`: what everybody may see among the answers, the author's own first, then those of others. */
import { accountRecords, viewerFacts } from '@murmuration/contracts/accounts'
import { showReplies } from '@murmuration/contracts/federation'
import { repliesPage, type StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { cursor } from '../../requests/about-person.js'
import { aboutStatus } from '../../requests/about-status.js'
import { documentAnswer, KEEP } from '../../requests/answer.js'
import type { Asker } from '../../requests/asker.js'
import { noteReader } from '../../requests/note-reader.js'
import { sourcesOf } from '../../views/local.js'
import { noteDocument } from '../../views/note.js'
import { noteContext } from '../../vocabulary/context.js'
import { writePage } from '../../vocabulary/write-collection.js'
import { INLINE_REPLIES, repliesAfter } from '../../vocabulary/write-note.js'

const SIZE = 60

interface Asked {
  readonly asker: Asker
  readonly own: boolean
  readonly after: string | undefined
  readonly limit: number
}

/** Those of the authors who block the asker. */
const blockersAmong = async (ctx: Context, authors: readonly string[], asker: Asker): Promise<Set<string>> => {
  if (asker === null || authors.length === 0) return new Set()
  const { standings } = await ctx.call(viewerFacts, { viewer: asker.accountId, authors: [...authors] })
  return new Set(authors.filter((id) => standings[id]?.blocked_by !== false))
}

/** One page of answers, without those of suspended people and of people who block the asker. `full` says that there may be more. */
const answersTo = async (ctx: Context, status: StatusRecord, { own, after, limit, asker }: Asked) => {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const { replies } = isOpen
    ? await ctx.call(repliesPage, { status: status.id, author: status.author, own, after, limit })
    : { replies: [] }
  const authors = [...new Set(replies.map((it) => it.author))]
  const [{ records }, blockers] = await Promise.all([
    authors.length > 0 ? ctx.call(accountRecords, { ids: authors }) : { records: [] },
    blockersAmong(ctx, authors, asker),
  ])
  const shown = new Set(records.filter((it) => !it.suspended && (it.usable || it.domain !== null)).map((it) => it.id))
  return {
    replies: replies.filter((it) => shown.has(it.author) && !blockers.has(it.author)),
    full: replies.length === limit,
    last: replies.at(-1)?.id ?? null,
  }
}

/** Answers written here come whole, those of others by address: only their own servers can vouch for them. */
const itemsOf = async (
  ctx: Context,
  replies: Awaited<ReturnType<typeof answersTo>>['replies'],
  asker: Asker,
): Promise<unknown[]> => {
  const ours = replies.filter((it) => it.local).map((it) => it.id)
  const { sources, people } = await sourcesOf(ctx, ours)
  await noteReader(ctx, sources, asker)
  const place = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  const written = new Map(sources.map((it) => [it.id, noteDocument(it, people, place)]))
  return replies.map(({ id, uri }) => {
    const document = written.get(id)
    if (!document) return uri
    const { '@context': _context, ...node } = document
    return node
  })
}

export const replies = handle(showReplies, async (ctx, _viewer, input) => {
  const { request, asker, status } = await aboutStatus(ctx, input)
  const uri = `${status.uri}/replies`
  const made = { asker, secure: ctx.self.secure, seconds: KEEP.page }
  if (!request.query.has('page')) {
    const found = await answersTo(ctx, status, { asker, own: true, after: undefined, limit: INLINE_REPLIES })
    const { '@context': context, ...first } = writePage({
      uri: `${uri}?page=true`,
      partOf: uri,
      items: found.replies.map((it) => it.uri),
      next: repliesAfter(uri, found),
      ordered: false,
    })
    return documentAnswer(request, { '@context': context, id: uri, type: 'Collection', first }, made)
  }
  const own = !request.query.has('only_other_accounts')
  const found = await answersTo(ctx, status, { asker, own, after: cursor(request, 'min_id'), limit: SIZE })
  const others = found.full ? `${uri}?min_id=${found.last}&only_other_accounts=true&page=true` : null
  const page = writePage({
    uri: `${uri}${request.path.slice(request.path.indexOf('?'))}`,
    partOf: uri,
    items: await itemsOf(ctx, found.replies, asker),
    next: own ? repliesAfter(uri, found) : others,
    ordered: false,
    context: noteContext,
  })
  return documentAnswer(request, page, made)
})
