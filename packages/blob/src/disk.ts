/** Stores blobs as files below one folder, in sub-folders by hash. */

import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { typeOfKey, unknownType } from './content-type.js'
import { listDisk, sweepIncoming } from './disk-list.js'
import { fileAt, pathOf, typeFileAt } from './disk-path.js'
import { discard, linkIncoming, moveInto, writeIncoming } from './disk-write.js'
import { BlobError, fromFileSystem } from './errors.js'
import { checkKey, checkPrefix } from './key.js'
import { meter } from './meter.js'
import { checkRange } from './range.js'
import { type BlobHead, type BlobStore, maxDeletes } from './store.js'
import { sweepPages } from './sweep.js'
import { type Operations, translated } from './translate.js'

/** Opens the store below `dir`. The first write creates the folder. Several processes may share the folder. */
export function openDiskStore(dir: string): BlobStore {
  const files = (key: string) => {
    const path = pathOf(checkKey(key))
    return { data: fileAt(dir, path), type: typeFileAt(dir, path) }
  }

  const readType = (key: string) =>
    readFile(files(key).type, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return typeOfKey(key)
      throw error
    })

  /** Stores the content type before the data. So no reader gets the new bytes with the previous content type. */
  const writeType = async (key: string, contentType: string) => {
    const { type } = files(key)
    if (contentType === typeOfKey(key)) await discard(type)
    else await moveInto(await writeIncoming(dir, oneChunk(contentType)), type)
  }

  const headOf = async (key: string, stats: { size: number; mtime: Date; isFile(): boolean }): Promise<BlobHead> => {
    if (!stats.isFile()) throw new BlobError('unavailable', 'the path of a blob is not a file')
    const etag = `"${stats.size.toString(16)}-${Math.trunc(stats.mtime.getTime()).toString(16)}"`
    return { size: stats.size, contentType: await readType(key), etag, lastModified: stats.mtime }
  }

  const operations: Operations = {
    async put(key, source, options) {
      const { data } = files(key)
      const metered = meter(source, options)
      const incoming = await writeIncoming(dir, metered.chunks)
      try {
        const result = metered.result()
        await writeType(key, options.contentType || unknownType)
        await moveInto(incoming, data)
        return result
      } catch (error) {
        await discard(incoming)
        throw error
      }
    },

    async get(key, { range } = {}) {
      const handle = await open(files(key).data, 'r').catch(absent)
      if (!handle) return null
      return closedOnError(handle, async () => {
        const head = await headOf(key, await handle.stat())
        if (range) checkRange(range, head.size)
        const span = range ? { start: range.start, end: Math.min(range.end ?? head.size, head.size) } : {}
        return { ...head, body: handle.createReadStream(span) }
      })
    },

    async head(key) {
      const stats = await stat(files(key).data).catch(absent)
      return stats && headOf(key, stats)
    },

    async move(from, to) {
      const [old, fresh] = [files(from), files(to)]
      const stats = await stat(old.data).catch(absent)
      if (!stats) {
        if (await stat(fresh.data).catch(absent)) return
        throw new BlobError('not_found', 'there is no blob to move')
      }
      await writeType(to, await readType(from))
      await moveInto(old.data, fresh.data)
      await discard(old.type)
    },

    async copy(from, to) {
      const [old, fresh] = [files(from), files(to)]
      const incoming = await linkIncoming(dir, old.data).catch(absent)
      if (incoming === null) return null
      try {
        await writeType(to, await readType(from))
        await moveInto(incoming, fresh.data)
        return (await stat(fresh.data)).size
      } finally {
        // `rename` does nothing if both names are hard links to the same file. So the link in the incoming folder is
        // removed here.
        await discard(incoming)
      }
    },

    async delete(keys) {
      if (keys.length > maxDeletes) throw new BlobError('bad_key', `at most ${maxDeletes} keys at once`)
      const all = keys.map(files)
      const results = await Promise.allSettled(all.map(({ data, type }) => discard(data).then(() => discard(type))))
      const undeleted = keys.filter((_, i) => results[i]?.status === 'rejected')
      if (undeleted.length === 0) return
      const cause = results.find((one) => one.status === 'rejected')?.reason
      throw new BlobError('unavailable', `${undeleted.length} files were not deleted`, { cause, undeleted })
    },

    list: async (prefix, cursor) => listDisk(dir, checkPrefix(prefix), cursor),

    async sweep(prefix, olderThan) {
      checkPrefix(prefix)
      await sweepIncoming(dir, olderThan)
      return sweepPages(operations, prefix, olderThan)
    },

    close: async () => {},
  }
  return { ...translated(operations, fromFileSystem), publicUrl: () => null }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function closedOnError<T>(handle: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
