/** Writes an archive as a zip stream of documents and files. One entry is open at a time, and no entry is whole in memory. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { noteContext, plainContext } from '@murmuration/activitypub/vocabulary/context'
import type { LocalActor } from '@murmuration/contracts/accounts'
import { markUris, ownStatusIds } from '@murmuration/contracts/statuses'
import { ZipFile } from 'yazl'
import type { Context } from '../context.js'
import { actorDocument } from '../core/actor/actor.js'
import { wholeSourcesOf } from '../core/address/local.js'
import { keyOfAddress, pathInArchive } from '../core/archive/rules.js'
import { activityDocument } from '../core/note/view.js'

type Tools = Pick<Context, 'call' | 'db' | 'site' | 'self' | 'blobs'>

const PAGE = 50

interface Attached {
  url?: unknown
}

/** Maps the blob keys of the local files in the archive to their paths in the archive. */
class ArchiveFiles {
  readonly files = new Map<string, string>()
  readonly #bases: readonly string[]
  constructor({ site, blobs }: Tools) {
    const published = blobs.publicUrl('media/x')
    this.#bases = [`${site.origin}/system/`, ...(published === null ? [] : [published.slice(0, -'media/x'.length)])]
  }
  /** Adds a local file and returns its path in the archive. Returns the address unchanged if the file is not local. */
  take(address: unknown): unknown {
    const key = typeof address === 'string' ? keyOfAddress(address, this.#bases) : null
    if (key === null) return address
    this.files.set(key, pathInArchive(key))
    return `/${pathInArchive(key)}`
  }
}

/** The activity with the addresses of local attachments replaced by paths in the archive. */
const withArchivePaths = (archiveFiles: ArchiveFiles, node: Record<string, unknown>): Record<string, unknown> => {
  const object = node.object as { attachment?: unknown } | string | undefined
  if (typeof object !== 'object' || !Array.isArray(object.attachment)) return node
  const attachment = object.attachment.map((one: Attached) => ({ ...one, url: archiveFiles.take(one.url) }))
  return { ...node, object: { ...object, attachment } }
}

/**
 * The activity with the content warning as its author typed it. For other servers, word joiners are inserted into the
 * warning.
 */
const withTypedWarning = (node: Record<string, unknown>, warning: string): Record<string, unknown> =>
  typeof node.object === 'object' ? { ...node, object: { ...node.object, summary: warning || null } } : node

async function* activities(ctx: Tools, author: string, archiveFiles: ArchiveFiles): AsyncGenerator<unknown> {
  const site = { origin: ctx.site.origin, localDomain: ctx.site.localDomain }
  for (let after: string | undefined; ; ) {
    const { ids } = await ctx.call(ownStatusIds, { author, limit: PAGE, ...(after ? { after } : {}) })
    const { sources, accounts } = await wholeSourcesOf(ctx, ids)
    for (const source of sources) {
      const document = activityDocument(source, accounts, site)
      if (document === null) continue
      const { '@context': _context, ...node } = document
      yield withTypedWarning(withArchivePaths(archiveFiles, node), source.spoiler_text)
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

/**
 * An OrderedCollection as JSON text, chunk by chunk. `totalItems` comes last, because the items are counted while they
 * are written.
 */
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

const actorText = async (ctx: Tools, account: LocalActor, archiveFiles: ArchiveFiles): Promise<string> => {
  const document: Record<string, unknown> = await actorDocument(ctx, account)
  for (const name of ['icon', 'image']) {
    const picture = document[name] as { url?: unknown } | undefined
    if (picture) document[name] = { ...picture, url: archiveFiles.take(picture.url) }
  }
  return JSON.stringify({ ...document, outbox: 'outbox.json', likes: 'likes.json', bookmarks: 'bookmarks.json' })
}

/** Stores the archive of an account under a blob key. Returns the size of the archive in bytes. */
export const writeArchive = async (ctx: Tools, account: LocalActor, key: string, maxBytes: number): Promise<number> => {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // `building` rejects with this error. Without a listener, it would end the process if the store does not read the stream.
  output.on('error', () => undefined)
  const archiveFiles = new ArchiveFiles(ctx)
  let open: Readable | null = null
  let failure: Error | null = null
  /** Adds a file to the zip. Resolves when the zip has read the stream to its end. */
  const add = async (name: string, stream: Readable, compress: boolean) => {
    if (failure) {
      stream.destroy()
      throw failure
    }
    open = stream
    zip.addReadStream(stream, name, { compress, mtime: new Date(0) })
    await finished(stream)
  }
  const build = async () => {
    zip.addBuffer(Buffer.from(await actorText(ctx, account, archiveFiles)), 'actor.json', { mtime: new Date(0) })
    const text = (name: string, context: readonly unknown[], items: AsyncGenerator<unknown>) =>
      add(name, Readable.from(collection(name, context, items)), true)
    await text('outbox.json', noteContext, activities(ctx, account.id, archiveFiles))
    await text('likes.json', plainContext, marked(ctx, account.id, 'favourites'))
    await text('bookmarks.json', plainContext, marked(ctx, account.id, 'bookmarks'))
    for (const [file, name] of archiveFiles.files) {
      // A media file that was deleted while the archive is written has no blob, and is left out.
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
    failure = error
    open?.destroy(error)
    throw error
  }
  const [{ size }] = await Promise.all([stored.catch(stop), building])
  return size
}
