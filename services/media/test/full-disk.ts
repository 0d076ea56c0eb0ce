/** Process of a test on a disk of one megabyte. It fills work directories and blob store, and reports the outcomes as JSON. */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBlobStore } from '@murmuration/blob'
import { Failure } from '@murmuration/contracts/kit'
import { createBenches } from '../src/core/bench.js'
import { createFiles } from '../src/core/files.js'

const dir = process.argv[2] ?? ''
const benches = createBenches(join(dir, 'benches'))
const files = createFiles(createBlobStore({ kind: 'disk', dir: join(dir, 'blobs') }), 'https://local.example')
const said = (error: unknown) => (error instanceof Failure ? `${error.status} ${error.code}` : String(error))
const large = (path: string) => writeFile(path, Buffer.alloc(700_000))

const bench = await benches.use((job) => writeFile(join(job, 'in'), Buffer.alloc(3_000_000))).catch(said)
const store = await benches
  .use(async (job) => {
    await large(join(job, 'out'))
    await files.keep([{ key: 'media/ab/cd.jpg', path: join(job, 'out'), mediaType: 'image/jpeg' }])
  })
  .catch(said)
const kept = await files.has('media/ab/cd.jpg')
const after = await benches.use(async (job) => {
  await writeFile(join(job, 'out'), 'small')
  return files.keep([{ key: 'media/ab/ef.jpg', path: join(job, 'out'), mediaType: 'image/jpeg' }])
})
await benches.close()
process.stdout.write(JSON.stringify({ bench, store, kept, after, left: readdirSync(join(dir, 'benches')) }))
