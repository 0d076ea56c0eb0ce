/** Failures of a blob store in a folder: interrupted uploads, killed processes, full disks. */

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { afterAll, expect, test } from 'vitest'
import { BlobError, createBlobStore, deleteMost } from '../src/index.js'
import { sweepPages } from '../src/sweep.js'

const dir = mkdtempSync(join(tmpdir(), 'disk-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const png = { contentType: 'image/png', maxBytes: 1_000_000 }

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
    : []

/** File descriptors of this process below the folder. Files open elsewhere do not change the count. */
const openFiles = (folder: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)).startsWith(folder)
    } catch {
      return false
    }
  })

test('nothing is created before the first write', async () => {
  const folder = join(dir, 'lazy')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  expect(await store.head('media/x')).toBeNull()
  expect(await store.list('media/')).toEqual({ blobs: [] })
  expect(existsSync(folder)).toBe(false)
  expect(store.publicUrl('media/x')).toBeNull()
})

test('files are in folders by hash, readable by the group at most; a type that the key states has no file', async () => {
  const folder = join(dir, 'shards')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  await store.put('media/ab/cd.png', Buffer.from('x'), png)
  await store.put('staging/raw', Buffer.from('y'), png)
  const files = filesBelow(folder).sort()
  expect(files.map((name) => name.replace(/\/[0-9a-f]{2}\/[0-9a-f]{2}\//, '/#/#/'))).toEqual([
    'media/#/#/ab+cd.png',
    'staging/#/#/raw',
    'staging/#/#/raw@type',
  ])
  expect(statSync(join(folder, files[0]!)).mode & 0o007).toBe(0)
  await store.delete(['media/ab/cd.png', 'staging/raw'])
  expect(filesBelow(folder)).toEqual([])
})

test('a file that cannot be deleted is named, and the others are deleted', async () => {
  const folder = join(dir, 'undeletable')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  await Promise.all(['media/bad.png', 'media/good.png'].map((key) => store.put(key, Buffer.from('x'), png)))
  const bad = filesBelow(folder).find((name) => name.endsWith('bad.png')) ?? ''
  rmSync(join(folder, bad))
  mkdirSync(join(folder, bad, 'inside'), { recursive: true })
  expect(await deleteMost(store, ['media/bad.png', 'media/good.png'])).toEqual(['media/bad.png'])
  expect(await store.head('media/good.png')).toBe(null)
  await expect(store.delete(['media/bad.png'])).rejects.toMatchObject({
    code: 'unavailable',
    undeleted: ['media/bad.png'],
  })
})

test('a single file that cannot be deleted is named, unless the store deletes nothing', async () => {
  const folder = join(dir, 'single')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  /** Puts a folder with content in place of a file. */
  const block = async (key: string) => {
    await store.put(key, Buffer.from('x'), png)
    const name = filesBelow(folder).find((one) => one.endsWith(key.slice('media/'.length))) ?? ''
    rmSync(join(folder, name))
    mkdirSync(join(folder, name, 'inside'), { recursive: true })
  }
  await block('media/bad.png')
  expect(await deleteMost(store, ['media/bad.png'])).toEqual(['media/bad.png'])
  expect(filesBelow(folder)).toEqual([])
  await block('media/deletion-probe')
  await expect(deleteMost(store, ['media/bad.png'])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the store deletes no blobs',
    undeleted: null,
  })
})

test('a full store in which no new file can be stored still deletes others', async () => {
  const refused: string[] = []
  const store = {
    put: async () => {
      throw new BlobError('no_space', 'the blob folder is full')
    },
    delete: async (keys: readonly string[]) => {
      refused.push(...keys)
      throw new BlobError('unavailable', 'held', { undeleted: keys })
    },
  }
  expect(await deleteMost(store, ['media/held.png'])).toEqual(['media/held.png'])
  expect(refused).toEqual(['media/held.png'])
})

test('a sweep counts files that cannot be deleted, and rejects if the store deletes nothing', async () => {
  const store = createBlobStore({ kind: 'disk', dir: join(dir, 'held') })
  await store.put('staging/held', Buffer.from('x'), png)
  const refuse = async (undeleted: readonly string[]) => {
    throw new BlobError('unavailable', 'held', { undeleted })
  }
  const pages = {
    list: store.list,
    put: store.put,
    delete: (keys: readonly string[]) => (keys.includes('staging/held') ? refuse(keys) : store.delete(keys)),
  }
  const soon = new Date(Date.now() + 60_000)
  expect(await sweepPages(pages, 'staging/', soon)).toEqual({ deleted: 0, undeleted: 1, complete: true })
  await expect(sweepPages({ ...pages, delete: refuse }, 'staging/', soon)).rejects.toThrow('the store deletes no blobs')
  await store.delete(['staging/deletion-probe'])
  expect(await sweepPages(store, 'staging/', soon)).toEqual({ deleted: 1, undeleted: 0, complete: true })
})

test('F074 five hundred uploads cut anywhere leave no file and no open descriptor', async () => {
  const folder = join(dir, 'cut')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  await store.put('media/warm.png', Buffer.from('x'), png)
  const cutOne = async (i: number) => {
    const source = new PassThrough()
    const put = store.put(`staging/cut${i}`, source, png).catch((error: BlobError) => error.code)
    if (i % 5 > 0) source.write(Buffer.alloc(1 + ((i * 7919) % 200_000)))
    setTimeout(() => source.destroy(i % 2 ? new Error('cut') : undefined), i % 13)
    return put
  }
  const codes = await Promise.all(Array.from({ length: 500 }, (_, i) => cutOne(i)))
  expect(new Set(codes)).toEqual(new Set(['interrupted']))
  expect(filesBelow(folder).filter((name) => !name.endsWith('warm.png'))).toEqual([])
  expect(openFiles(folder)).toEqual([])
})

test('the first byte alone can be read', async () => {
  const store = createBlobStore({ kind: 'disk', dir: join(dir, 'first') })
  await store.put('media/f', Buffer.from('0123456789'), png)
  const blob = await store.get('media/f', { range: { start: 0, end: 0 } })
  expect([blob!.size, await text(blob!.body)]).toEqual([10, '0'])
})

test('a reader that goes away closes its file', async () => {
  const folder = join(dir, 'readers')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  await store.put('media/r', Buffer.alloc(500_000), png)
  const blobs = await Promise.all(Array.from({ length: 50 }, () => store.get('media/r')))
  expect(openFiles(folder)).toHaveLength(50)
  const closed = blobs.map((blob) => new Promise((resolve) => blob!.body.on('close', resolve)))
  for (const blob of blobs) blob!.body.destroy()
  await Promise.all(closed)
  expect(openFiles(folder)).toEqual([])
})

test('the sweep removes unfinished uploads of ended processes and keeps current ones', async () => {
  const folder = join(dir, 'dead')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  mkdirSync(join(folder, '.incoming'), { recursive: true })
  writeFileSync(join(folder, '.incoming', 'dead'), 'half')
  utimesSync(join(folder, '.incoming', 'dead'), 1, 1)
  const source = new PassThrough()
  const running = store.put('media/running', source, png)
  source.write('first ')
  while (filesBelow(join(folder, '.incoming')).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  await store.sweep('staging/', new Date(Date.now() - 60_000))
  expect(filesBelow(join(folder, '.incoming'))).toHaveLength(1)
  source.end('second')
  expect((await running).size).toBe(12)
})

test('a folder in a blob’s place, and a store that is a file, are said to be unavailable', async () => {
  const folder = join(dir, 'wrong')
  writeFileSync(folder, 'a file')
  const store = createBlobStore({ kind: 'disk', dir: folder })
  const error = await store.put('media/x', Buffer.from('x'), png).catch((cause) => cause)
  expect(error).toBeInstanceOf(BlobError)
  expect(error).toMatchObject({ code: 'unavailable', retryable: true })
})

/** Runs a put of 3 MB in a process for which the disk is full after 1 MB; gives what it printed. */
function putOnFullDisk(folder: string): string {
  const node = [process.execPath, ...SOURCE_ARGS, join(import.meta.dirname, 'fill.ts'), folder]
  const command = node.map((word) => `'${word}'`).join(' ')
  const full = `mount -t tmpfs -o size=1m none '${folder}' && exec ${command}`
  const run = (file: string, words: string[]) => execFileSync(file, words, { encoding: 'utf8', stdio: 'pipe' })
  try {
    return run('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', full])
  } catch {
    // Where namespaces are forbidden, a limit on file size stands in: the kernel says EFBIG instead of ENOSPC.
    return run('sh', ['-c', `ulimit -f 2048 && exec ${command}`])
  }
}

test('F075 a full disk is no_space, leaves nothing behind, and small blobs still fit', () => {
  const folder = join(dir, 'full')
  mkdirSync(folder)
  const report = JSON.parse(putOnFullDisk(folder)) as Record<string, unknown>
  expect(report).toEqual({ code: 'no_space', retryable: true, head: null, incoming: [], small: 5, destroyed: true })
})
