/** Uploaded tables and filter files, while the blob store fails before or within the body. */
import { Readable } from 'node:stream'
import { BlobError, type BlobStore } from '@murmuration/blob'
import { expect, test } from 'vitest'
import { readImport } from './file.js'

const site = { localDomain: 'here.example', handleDomains: new Set(['here.example']) }
const reading = (kind: 'follows' | 'filters', get: BlobStore['get']) =>
  readImport({ blobs: { get, delete: async () => undefined }, site, log: {} } as never, kind, {
    key: 'staging/x',
    name: 'table.csv',
  })

async function* broken() {
  yield Buffer.from('Account address\na@there.example\n')
  throw new Error('aborted')
}
const KINDS = ['follows', 'filters'] as const

test.each(KINDS)('a store that fails when a file of %s is opened causes a retryable refusal', async (kind) => {
  const failing = reading(kind, () => Promise.reject(new BlobError('unavailable', 'the bucket cannot be used')))
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 5 } })
})

test('a file with too many rows is refused, also if its rows repeat', async () => {
  const text = `\n;;\nAccount address;Show boosts\n${'a@there.example;true\n'.repeat(20_001)}`
  const blob = { size: 1, contentType: 'text/csv', etag: '"x"', lastModified: new Date(0) }
  const read = reading('follows', async () => ({ ...blob, body: Readable.from([Buffer.from(text)]) }))
  await expect(read).rejects.toThrow('File has more than 20000 rows')
})

test('blank lines before the header may be in several chunks', async () => {
  const blob = { size: 1, contentType: 'text/csv', etag: '"x"', lastModified: new Date(0) }
  const chunks = ['\r\n', ';;\r\n;', ';\r\nAccount ', 'address;Show', ' boosts\r\n', 'a@there.example;true'].map(
    (part) => Buffer.from(part),
  )
  expect(await reading('follows', async () => ({ ...blob, body: Readable.from(chunks) }))).toMatchObject({
    rows: [{ key: 'a@there.example', cells: ['a@there.example', 'true', '', ''] }],
  })
})

test.each(KINDS)('a body that breaks off while a file of %s is read causes a retryable refusal', async (kind) => {
  const head = { size: 100_000, contentType: 'text/csv', etag: '"x"', lastModified: new Date(0) }
  const failing = reading(kind, async () => ({ ...head, body: Readable.from(broken()) }))
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 5 } })
})
