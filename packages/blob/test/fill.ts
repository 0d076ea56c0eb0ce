/** A process on a nearly full disk: stores a large and then a small blob, and prints the results as JSON. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type BlobError, createBlobStore } from '../src/index.js'

const dir = process.argv[2]!
const store = createBlobStore({ kind: 'disk', dir })
const source = Readable.from(Array.from({ length: 48 }, () => Buffer.alloc(65_536)))
const error = await store
  .put('staging/large', source, { contentType: 'video/mp4', maxBytes: 10_000_000 })
  .then(() => null)
  .catch((cause: BlobError) => cause)
const head = await store.head('staging/large')
const incoming = readdirSync(join(dir, '.incoming'))
const small = await store.put('media/small.png', Buffer.from('small'), { contentType: 'image/png', maxBytes: 10 })
const report = { code: error?.code, retryable: error?.retryable, head, incoming, small: small.size }
console.log(JSON.stringify({ ...report, destroyed: source.destroyed }))
