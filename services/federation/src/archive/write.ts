/** Writes an archive while it is read: a zip of documents and files, one of them open at a time, never a whole one in memory. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { noteContext, plainContext } from '@murmuration/activitypub/vocabulary/context'
import type { LocalActor } from '@murmuration/contracts/accounts'
import { markUris, ownStatusIds } from '@murmuration/contracts/statuses'
import { ZipFile } from 'yazl'
import type { Context } from '../context.js'
import { actorDocument } from '../core/actor.js'
import { keyOfAddress, placeOf } from '../core/archive.rules.js'
import { wholeSourcesOf } from '../core/local.js'
import { activityDocument } from '../core/note.view.js'

type Tools = Pick<Context, 'call' | 'db' | 'site' | 'self' | 'blobs'>

const PAGE = 50

interface Attached {
  url?: unknown
}

/** Our files by key, with where they lie in the archive. */
class Shelf {
  readonly files = new Map<string, string>()
  readonly #bases: readonly string[]
  constructor({ site, blobs }: Tools) {
    const published = blobs.publicUrl('media/x')
    this.#bases = [`${site.origin}/system/`, ...(published === null ? [] : [published.slice(0, -'media/x'.length)])]
  }
  /** Path of a file in the archive; the address itself if the file is not on this server. */
  take(address: unknown): unknown {
    const key = typeof address === 'string' ? keyOfAddress(address, this.#bases) : null
    if (key === null) return address
    this.files.set(key, placeOf(key))
    return `/${placeOf(key)}`
  }
}

/** The activity with its files where the archive has them. */
const atHome = (shelf: Shelf, node: Record<string, unknown>): Record<string, unknown> => {
  const object = node.object as { attachment?: unknown } | string | undefined
  if (typeof object !== 'object' || !Array.isArray(object.attachment)) return node
  const attachment = object.attachment.map((one: Attached) => ({ ...one, url: shelf.take(one.url) }))
  return { ...node, object: { ...object, attachment } }
}

async function* activities(ctx: Tools, author: string, shelf: Shelf): AsyncGenerator<unknown> {
  const place = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  for (let after: string | undefined; ; ) {
    const { ids } = await ctx.call(ownStatusIds, { author, limit: PAGE, ...(after ? { after } : {}) })
    const { sources, people } = await wholeSourcesOf(ctx, ids)
    for (const source of sources) {
      const document = activityDocument(source, people, place)
      if (document === null) continue
      const { '@context': _context, ...node } = document
      yield atHome(shelf, node)
    }
    after = ids.at(-1)
    if (ids.length < PAGE) return
  }
}

async function* marked(ctx: Tools, account: string, which: 'bookmarks' | 'favourites'): AsyncGenerator<unknown> {
  for (let after: string | undefined; ; ) {
    const { uris, next } = await ctx.call(markUris, { account, which, ...(after ? { after } : {}) })
    yield* uris
    if (next === null) return
    after = next
  }
}

/** An ordered collection as text, item by item, with the number of items at the end. */
async function* collection(
  id: string,
  context: readonly unknown[],
  items: AsyncGenerator<unknown>,
): AsyncGenerator<string> {
  yield `{"@context":${JSON.stringify(context)},"id":${JSON.stringify(id)},"type":"OrderedCollection","orderedItems":[`
  let count = 0
  for await (const item of items) yield `${count++ === 0 ? '' : ','}\n${JSON.stringify(item)}`
  yield `],"totalItems":${count}}`
}

const actorText = async (ctx: Tools, person: LocalActor, shelf: Shelf): Promise<string> => {
  const document: Record<string, unknown> = await actorDocument(ctx, person)
  for (const name of ['icon', 'image']) {
    const picture = document[name] as { url?: unknown } | undefined
    if (picture) document[name] = { ...picture, url: shelf.take(picture.url) }
  }
  return JSON.stringify({ ...document, outbox: 'outbox.json', likes: 'likes.json', bookmarks: 'bookmarks.json' })
}

/** Stores the archive of an account under a blob key. Returns its size in bytes. */
export const writeArchive = async (ctx: Tools, person: LocalActor, key: string, maxBytes: number): Promise<number> => {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const shelf = new Shelf(ctx)
  let open: Readable | null = null
  /** Resolves when the entry was read to its end, so that the next one is opened only then. */
  const add = async (name: string, stream: Readable, compress: boolean) => {
    open = stream
    zip.addReadStream(stream, name, { compress, mtime: new Date(0) })
    await finished(stream)
  }
  const build = async () => {
    zip.addBuffer(Buffer.from(await actorText(ctx, person, shelf)), 'actor.json', { mtime: new Date(0) })
    const text = (name: string, context: readonly unknown[], items: AsyncGenerator<unknown>) =>
      add(name, Readable.from(collection(name, context, items)), true)
    await text('outbox.json', noteContext, activities(ctx, person.id, shelf))
    await text('likes.json', plainContext, marked(ctx, person.id, 'favourites'))
    await text('bookmarks.json', plainContext, marked(ctx, person.id, 'bookmarks'))
    for (const [file, name] of shelf.files) {
      // One that was deleted meanwhile is left out.
      const blob = await ctx.blobs.get(file)
      if (blob) await add(name, blob.body, false)
    }
    zip.end()
  }
  const stored = ctx.blobs.put(key, output, { contentType: 'application/zip', maxBytes })
  const building = build().catch((error: Error) => {
    output.destroy(error)
    throw error
  })
  const stop = (error: Error) => {
    open?.destroy(error)
    throw error
  }
  const [{ size }] = await Promise.all([stored.catch(stop), building])
  return size
}
