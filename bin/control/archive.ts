/** Archives of small files: tar, tar.gz and zip, read into memory within limits, and tar.gz written. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { type Entry as ZipEntry, type ZipFile, fromBuffer as zipFromBuffer } from 'yauzl'
import { checkTarSizes } from './tar-sizes.js'

export interface ArchiveFile {
  /** Path of the file inside the archive, with `/` as separator. */
  name: string
  bytes: Buffer
}

export interface ArchiveLimits {
  entries: number
  /** Maximum number of bytes of one file in the archive. A larger file is skipped. */
  fileBytes: number
  /** Maximum number of bytes of all files in the archive after decompression. */
  totalBytes: number
}

export interface ArchiveContent {
  files: ArchiveFile[]
  skipped: { name: string; reason: string }[]
}

/** Maximum number of bytes of headers and padding for one entry of an uncompressed tar archive. */
const TAR_OVERHEAD = 2_048
const FILE_TYPE = 0xf000
const LINK = 0xa000

/** Returns the path of a file in an archive. Throws for a path that is outside of the folder of the archive. */
const checkedName = (name: string): string => {
  const parts = name.split(/[/\\]/)
  if (name.includes('\0') || /^([/\\]|[a-z]:)/i.test(name) || parts.includes('..'))
    throw new Error(`The archive has a path that leads out of it: ${JSON.stringify(name)}.`)
  return name
}

/** Collects the files of an archive. Throws if the archive has too many entries or bytes. */
const collector = ({ entries, fileBytes, totalBytes }: ArchiveLimits) => {
  const content: ArchiveContent = { files: [], skipped: [] }
  let [count, total] = [0, 0]
  return {
    content,
    /** Whether an entry of the archive is a file that is to be read. */
    wants(name: string, size: number, type: 'file' | 'folder' | 'other'): boolean {
      checkedName(name)
      if (!(size >= 0)) throw new Error('The archive is damaged: an entry has no valid size.')
      if (++count > entries) throw new Error(`The archive has more than ${entries} entries.`)
      total += size
      if (total > totalBytes) throw new Error(`The archive has more than ${totalBytes} bytes.`)
      if (type === 'folder') return false
      if (type === 'file' && size <= fileBytes) return true
      content.skipped.push({ name, reason: type === 'file' ? `is larger than ${fileBytes} bytes` : 'is no file' })
      return false
    },
    add: (name: string, bytes: Buffer): void => void content.files.push({ name, bytes }),
  }
}

const readTar = async (bytes: Buffer, limits: ArchiveLimits): Promise<ArchiveContent> => {
  checkTarSizes(bytes)
  const { content, wants, add } = collector(limits)
  const entries = extract()
  entries.end(bytes)
  for await (const entry of entries) {
    const { name, size = 0, type } = entry.header
    const kind = type === 'file' || type === 'contiguous-file' ? 'file' : 'other'
    // tar-stream continues with the next entry only after this entry is read or discarded.
    if (wants(name, size, type === 'directory' ? 'folder' : kind))
      add(name, Buffer.concat(await Array.fromAsync(entry)))
    else entry.resume()
  }
  return content
}

const openZip = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    zipFromBuffer(bytes, { lazyEntries: true }, (error, zip) => (error ? reject(error) : resolve(zip)))
  })

/** Reads the bytes of a zip entry. The library yauzl rejects an entry that is larger than its header states. */
const readEntry = (zip: ZipFile, entry: ZipEntry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error)
      else Array.fromAsync(stream).then((parts) => resolve(Buffer.concat(parts as Buffer[])), reject)
    })
  })

const readZip = async (bytes: Buffer, limits: ArchiveLimits): Promise<ArchiveContent> => {
  const { content, wants, add } = collector(limits)
  const zip = await openZip(bytes)
  await new Promise<void>((resolve, reject) => {
    const take = async (entry: ZipEntry): Promise<void> => {
      const name = entry.fileName
      const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK
      const kind = isLink ? 'other' : 'file'
      if (wants(name, entry.uncompressedSize, name.endsWith('/') ? 'folder' : kind))
        add(name, await readEntry(zip, entry))
      zip.readEntry()
    }
    zip.on('entry', (entry: ZipEntry) => void take(entry).catch(reject))
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.readEntry()
  })
  return content
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
const isTar = (bytes: Buffer): boolean => bytes.subarray(257, 262).toString('latin1') === 'ustar'

/** Reads a tar, tar.gz or zip archive. Throws an error with a user-readable message if it is damaged or exceeds the limits. */
export const readArchive = async (bytes: Buffer, limits: ArchiveLimits): Promise<ArchiveContent> => {
  const maxOutputLength = limits.totalBytes + limits.entries * TAR_OVERHEAD
  const unpacked = isGzip(bytes)
    ? await promisify(gunzip)(bytes, { maxOutputLength }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
          throw new Error(`The archive has more than ${limits.totalBytes} bytes.`)
        throw new Error(`The archive is damaged: ${error.message}.`)
      })
    : bytes
  if (!isZip(unpacked) && !isTar(unpacked)) throw new Error('It is no tar, tar.gz or zip archive.')
  try {
    return await (isZip(unpacked) ? readZip : readTar)(unpacked, limits)
  } catch (error) {
    const { message } = error as Error
    throw message.startsWith('The archive') ? error : new Error(`The archive is damaged: ${message}.`)
  }
}

/** Writes a tar.gz archive of these files. The same files always give the same bytes. */
export const writeArchive = async (files: readonly ArchiveFile[]): Promise<Buffer> => {
  const tar = pack()
  for (const { name, bytes } of files) tar.entry({ name, mtime: new Date(0) }, bytes)
  tar.finalize()
  return promisify(gzip)(Buffer.concat(await Array.fromAsync(tar)))
}
