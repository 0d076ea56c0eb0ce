/** Process of a test on a disk of one megabyte. It fills work directories and blob store, and reports the outcomes as JSON. */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBlobStore } from '@murmuration/blob'
import { Failure } from '@murmuration/contracts/kit'
import { createFiles } from '../src/core/file/files.js'
import { createWorkDirectories } from '../src/core/file/work-directory.js'

const dir = process.argv[2] ?? ''
const workDirectories = createWorkDirectories(join(dir, 'workDirectories'))
const files = createFiles(createBlobStore({ kind: 'disk', dir: join(dir, 'blobs') }), 'https://local.example')
const outcomeOf = (error: unknown) => (error instanceof Failure ? `${error.status} ${error.code}` : String(error))
const large = (path: string) => writeFile(path, Buffer.alloc(700_000))

const workDirectory = await workDirectories
  .use((job) => writeFile(join(job, 'in'), Buffer.alloc(3_000_000)))
  .catch(outcomeOf)
const store = await workDirectories
  .use(async (job) => {
    await large(join(job, 'out'))
    await files.store([{ key: 'media/ab/cd.jpg', path: join(job, 'out'), mediaType: 'image/jpeg' }])
  })
  .catch(outcomeOf)
const kept = await files.has('media/ab/cd.jpg')
const after = await workDirectories.use(async (job) => {
  await writeFile(join(job, 'out'), 'small')
  return files.store([{ key: 'media/ab/ef.jpg', path: join(job, 'out'), mediaType: 'image/jpeg' }])
})
await workDirectories.close()
process.stdout.write(
  JSON.stringify({ workDirectory, store, kept, after, left: readdirSync(join(dir, 'workDirectories')) }),
)
