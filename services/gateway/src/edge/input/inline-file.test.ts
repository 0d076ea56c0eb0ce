/** Pictures in `data:` fields are stored in staging. A refusal names the field and leaves no file in staging. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { updateCredentials } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { editStatus, updateProfile } from '@murmuration/contracts/statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withInline } from './body.js'
import { MAX_INLINE } from './body-size.js'
import { decodeInline } from './inline-file.js'
import { parseInput } from './input.js'

let dir = ''
let blobs: BlobStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'murmuration-inline-'))
  blobs = createBlobStore({ kind: 'disk', dir })
})
afterAll(async () => {
  await blobs.close()
  await rm(dir, { recursive: true })
})

const png = Buffer.from('89504e470d0a1a0afbef', 'hex')
const address = `data:image/png;base64,${png.toString('base64')}`
const staged = async () => (await readdir(dir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
const body = (given: Record<string, unknown>) => ({ given, form: false, files: {} })

test.each([
  [address],
  [address.replaceAll('+', ' ')],
  [`data:image/png;charset=utf-8;name=a.png;base64,${png.toString('base64')}`],
  [`DATA:IMAGE/PNG;BASE64,${png.toString('base64')}\r\n`],
])('%s is decoded as a picture', (given) => {
  expect(decodeInline('avatar', given)).toEqual({ type: 'image/png', bytes: png })
})

test.each([
  'data:',
  'data:image/png',
  'data:image/png,abc',
  'data:image/png;base64,',
  'data:image/png;base64,***',
  'data:;base64,AA==',
])('%s is refused with the name of the field', (given) => {
  expect(() => decodeInline('avatar', given)).toThrow('Validation failed: Avatar is invalid')
})

test('a picture that is too large is refused before it is decoded', () => {
  const huge = `data:image/png;base64,${'A'.repeat(Math.ceil((MAX_INLINE * 4) / 3) + 100)}`
  expect(() => decodeInline('header', huge)).toThrow('Validation failed: Header file size must be less than 8 MB')
})

test('S-160 both profile endpoints get staging keys in place of the bytes', async () => {
  for (const operation of [updateCredentials, updateProfile]) {
    const read = await withInline(body({ avatar: address, header: address, note: address }), operation, blobs)
    expect(Object.keys(read.files).sort()).toEqual(['avatar', 'header'])
    expect(read.files.avatar).toMatchObject({ size: png.length, type: 'image/png' })
    expect(await blobs.get(read.files.avatar?.key ?? '').then(() => true)).toBe(true)
    const input = parseInput(operation, { ...read.given, ...read.files }) as { avatar: unknown; note: string }
    expect(input.avatar).toEqual(read.files.avatar)
    expect(JSON.stringify(input.avatar)).not.toContain('base64')
    await blobs.delete(Object.values(read.files).map((file) => file.key))
  }
})

test.each([
  ['JSON', [{ id: '1', thumbnail: address }, { id: '2' }, { id: '3', thumbnail: address }]],
  ['a form with indexes', { 0: { id: '1', thumbnail: address }, 1: { id: '2' }, 2: { id: '3', thumbnail: address } }],
])('S-106 a picture in a list item becomes a file of that item: %s', async (_name, media_attributes) => {
  const read = await withInline(body({ status: 'x', media_attributes }), editStatus, blobs)
  const keys = Object.values(read.files).map((file) => file.key)
  expect([Object.keys(read.files), new Set(keys).size], 'as files in lists of forms').toEqual([keys, 2])
  const input = parseInput(editStatus, { id: '5', ...read.given, ...read.files }) as typeof editStatus.input._output
  expect(input.media_attributes?.map((one) => one.thumbnail?.key)).toEqual([keys[0], undefined, keys[1]])
  await blobs.delete(keys)
})

test('more than four pictures are refused, and a broken one is refused by its name', async () => {
  const of = (...thumbnails: string[]) =>
    withInline(body({ media_attributes: thumbnails.map((thumbnail) => ({ thumbnail })) }), editStatus, blobs)
  await expect(of(...Array.from({ length: 5 }, () => address))).rejects.toThrow('The body has too many files')
  await expect(of(address, 'data:,x')).rejects.toThrow('Thumbnail is invalid')
  const strange = { media_attributes: [null, 'data:,x', 7, { thumbnail: [address] }] }
  expect((await withInline(body(strange), editStatus, blobs)).files).toEqual({})
  expect(await staged()).toEqual([])
})

test('a broken picture deletes the other picture and the files of the form', async () => {
  const { files } = await withInline(body({ header: address }), updateCredentials, blobs)
  const both = { given: { avatar: 'data:image/png;base64,***' }, form: true, files }
  await expect(withInline(both, updateCredentials, blobs)).rejects.toThrow('Avatar is invalid')
  expect(await staged()).toEqual([])
})

test('a failure of the blob store leaves no file in staging', async () => {
  const full = {
    put: (key: string, ...rest: unknown[]) =>
      key === ''
        ? Promise.reject(fail('unavailable', 'full'))
        : (blobs.put as (...given: unknown[]) => Promise<{ size: number }>)(key, ...rest).then(() =>
            Promise.reject(fail('unavailable', 'full')),
          ),
    delete: (keys: readonly string[]) => blobs.delete(keys),
  }
  await expect(withInline(body({ avatar: address }), updateCredentials, full as never)).rejects.toThrow('full')
  expect(await staged()).toEqual([])
})
