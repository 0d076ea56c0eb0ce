/** Reading of tar, tar.gz and zip archives, and refusal of damaged, large and unsafe ones. */
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readArchive, writeArchive } from '../control/archive.js'
import { importEmojis } from '../control/emoji-import.js'
import type { Operator } from '../control/operator.js'

const LIMITS = { entries: 4, fileBytes: 100, totalBytes: 250 }
const file = (name: string, size = 10) => ({ name, bytes: Buffer.alloc(size, 7) })

const tarOf = async (add: (tar: ReturnType<typeof pack>) => void): Promise<Buffer> => {
  const tar = pack()
  add(tar)
  tar.finalize()
  return Buffer.concat(await Array.fromAsync(tar))
}
const zipOf = async (add: (zip: ZipFile) => void): Promise<Buffer> => {
  const zip = new ZipFile()
  add(zip)
  zip.end()
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>))
}
const read = (bytes: Buffer) => readArchive(bytes, LIMITS)

test('a written archive can be read, and the same files give the same bytes', async () => {
  const files = [file('a.png'), file('b.png', 100)]
  const bytes = await writeArchive(files)
  expect(await read(bytes)).toEqual({ files, skipped: [] })
  expect((await writeArchive(files)).equals(bytes)).toBe(true)
})

test('a tar and a zip return their files, without folders, links and large files', async () => {
  const skipped = [
    { name: 'large.png', reason: 'is larger than 100 bytes' },
    { name: 'link.png', reason: 'is no file' },
  ]
  const tar = await tarOf((it) => {
    it.entry({ name: 'folder/', type: 'directory' })
    it.entry({ name: 'folder/a.png' }, file('').bytes)
    it.entry({ name: 'large.png' }, file('', 101).bytes)
    it.entry({ name: 'link.png', type: 'symlink', linkname: '/etc/passwd' })
  })
  expect(await read(tar)).toEqual({ files: [file('folder/a.png')], skipped })
  expect(await read(gzipSync(tar))).toEqual({ files: [file('folder/a.png')], skipped })
  const zip = await zipOf((it) => {
    it.addEmptyDirectory('folder')
    it.addBuffer(file('').bytes, 'folder/a.png')
    it.addBuffer(file('', 101).bytes, 'large.png')
    it.addBuffer(Buffer.from('/etc/passwd'), 'link.png', { mode: 0o120_777 })
  })
  expect(await read(zip)).toEqual({ files: [file('folder/a.png')], skipped })
})

test.each(['../a.png', '/a.png', 'b/../../a.png', '..\\a.png', 'C:\\a.png'])(
  'a tar with the path %s is refused',
  async (name) => {
    await expect(read(await tarOf((it) => it.entry({ name }, file('').bytes)))).rejects.toThrow('leads out of it')
  },
)

test('a zip with a path outside of its folder is refused', async () => {
  const zip = await zipOf((it) => it.addBuffer(file('').bytes, 'xx/a.png'))
  const text = zip.toString('latin1').replaceAll('xx/a.png', '../a.png')
  await expect(read(Buffer.from(text, 'latin1'))).rejects.toThrow('invalid relative path')
})

test('too many entries, too many bytes and too many uncompressed bytes are refused', async () => {
  const many = await tarOf((it) => {
    for (let n = 0; n < 5; n++) it.entry({ name: `${n}.png` }, 'x')
  })
  await expect(read(many)).rejects.toThrow('more than 4 entries')
  const heavy = await tarOf((it) => {
    for (let n = 0; n < 3; n++) it.entry({ name: `${n}.png` }, file('', 99).bytes)
  })
  await expect(read(heavy)).rejects.toThrow('more than 250 bytes')
  await expect(read(gzipSync(Buffer.alloc(1_000_000)))).rejects.toThrow('more than 250 bytes')
})

test('another file and a damaged archive are refused with a sentence', async () => {
  await expect(read(Buffer.from('hello'))).rejects.toThrow('It is no tar, tar.gz or zip archive.')
  await expect(read(gzipSync(await tarOf((it) => it.entry({ name: 'a' }, 'x'))).subarray(0, 40))).rejects.toThrow(
    'The archive is damaged',
  )
  const zip = await zipOf((it) => it.addBuffer(file('').bytes, 'a.png'))
  await expect(read(zip.subarray(0, zip.length - 10))).rejects.toThrow('The archive is damaged')
})

/** Copy of a tar with another size of the first entry, and a matching checksum of its header. */
const withSize = (tar: Buffer, write: (size: Buffer) => void): Buffer => {
  const bytes = Buffer.from(tar)
  write(bytes.subarray(124, 136))
  bytes.fill(' ', 148, 156)
  const sum = bytes.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0`, 148, 'latin1')
  return bytes
}

test.each([
  ['a negative binary number', (size: Buffer) => void size.fill(0xff).writeInt32BE(-700, 8)],
  ['a negative number', (size: Buffer) => void size.write('-0000001274\0', 'latin1')],
  ['no number', (size: Buffer) => void size.write('zzzzzzzzzzz\0', 'latin1')],
])('a tar whose size is %s is refused', async (_name, write) => {
  const tar = await tarOf((it) => it.entry({ name: 'a.png' }, file('', 99).bytes))
  await expect(read(withSize(tar, write))).rejects.toThrow('The archive is damaged: an entry has no valid size.')
})

test('a tar whose extended header has a negative size is refused', async () => {
  const tar = await tarOf((it) => it.entry({ name: 'a.png', pax: { size: '-700' } }, file('', 99).bytes))
  await expect(read(tar)).rejects.toThrow('The archive is damaged: an entry has no valid size.')
})

test('control characters in names of an archive do not reach the terminal', async () => {
  const bytes = await tarOf((it) => {
    it.entry({ name: 'a\u001b]0;title\u0007.txt' }, 'x')
    it.entry({ name: 'b\u001b[2J.png' }, 'x')
    it.entry({ name: 'c\u202egnp.txt' }, 'x')
  })
  const operator = { call: async () => [] } as unknown as Operator
  const { text } = await importEmojis(operator, bytes, { dryRun: true })
  expect(text).toContain('.txt  skipped')
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})
