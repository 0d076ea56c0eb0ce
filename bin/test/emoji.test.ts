/** Commands for many custom emoji, on running services. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAllEmojis, proxyUrls, updateEmoji } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readArchive, writeArchive } from '../control/archive.js'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQYlWOIEpH7jw8zjAwFAK/WYsHxZM+pAAAAAElFTkSuQmCC',
  'base64',
)
let dir: string
let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'emoji-test-'))
  cluster = await startCluster({ apps: [media], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
  await rm(dir, { recursive: true })
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const saved = async (name: string, bytes: Buffer): Promise<string> => {
  const path = join(dir, name)
  await writeFile(path, bytes)
  return path
}
const known = async () =>
  (await cluster.call(listAllEmojis, {})).map(({ shortcode, category, visible_in_picker, disabled }) => [
    shortcode,
    category,
    visible_in_picker,
    disabled,
  ])

test('an archive is checked, then imported, with a result for each file', async () => {
  const archive = await saved(
    'some.tar.gz',
    await writeArchive([
      { name: 'blobs/cat.png', bytes: PNG },
      { name: 'blobs/._cat.png', bytes: PNG },
      { name: 'dog.PNG', bytes: PNG },
      { name: 'bad name.png', bytes: PNG },
      { name: 'text.png', bytes: Buffer.from('hello') },
      { name: 'README.md', bytes: Buffer.from('hello') },
    ]),
  )
  const flags = ['emoji', 'import', archive, '--prefix', 'b_', '--category', 'blobs', '--unlisted']
  const results = (cat: string) =>
    [
      `:b_cat:  ${cat}`,
      `:b_dog:  ${cat}`,
      ':b_bad name:  refused: Validation failed: Shortcode only letters, numbers and underscores',
      ':b_text:  refused: Validation failed: Image content type is not supported: it must be jpeg, png, gif or webp',
      'README.md  skipped: is not named as a PNG, GIF, WebP or JPEG',
      `2 ${cat}, 2 refused, 1 skipped`,
    ].join('\n')
  expect(await runWords(operator, ...flags, '--dry-run')).toMatchObject({ status: 1, text: results('would add') })
  expect(await known()).toEqual([])
  expect(await runWords(operator, ...flags)).toMatchObject({ status: 1, text: results('added') })
  expect(await known()).toEqual([
    ['b_cat', 'blobs', false, false],
    ['b_dog', 'blobs', false, false],
  ])
})

test('an existing emoji is skipped, or replaced with the flag; a zip has the same result as a tar', async () => {
  const zip = new ZipFile()
  zip.addBuffer(PNG, 'cat.png')
  zip.addBuffer(PNG, 'owl.png')
  zip.end()
  const archive = await saved(
    'some.zip',
    Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>)),
  )
  const words = ['emoji', 'import', archive, '--prefix', 'b_']
  expect(await ctl(...words, '--dry-run')).toBe(
    ':b_cat:  exists already\n:b_owl:  would add\n1 exists already, 1 would add',
  )
  expect(await dataOf(operator, ...words)).toEqual([
    { file: 'cat.png', shortcode: 'b_cat', outcome: 'exists already', reason: null },
    { file: 'owl.png', shortcode: 'b_owl', outcome: 'added', reason: null },
  ])
  expect(await ctl(...words, '--overwrite')).toContain('2 replaced')
})

test('an export has the pictures and a manifest, from which an import restores everything', async () => {
  await ctl('emoji', 'disable', 'b_dog')
  const before = await known()
  const path = join(dir, 'all.tar.gz')
  expect(await ctl('emoji', 'export', path)).toBe('3 emoji exported.')
  expect(await runWords(operator, 'emoji', 'export', path)).toMatchObject({
    status: 1,
    error: expect.stringContaining('--overwrite replaces it'),
  })
  expect(await ctl('emoji', 'export', path, '--overwrite', '--category', 'blobs')).toBe('2 emoji exported.')
  const printed = await runWords(operator, 'emoji', 'export', '-')
  expect([printed.status, printed.text, printed.error]).toEqual([0, '', '3 emoji exported.'])
  const archive = await readArchive(printed.bytes ?? Buffer.alloc(0), {
    entries: 9,
    fileBytes: 9_999,
    totalBytes: 99_999,
  })
  expect(archive.files.map((one) => one.name)).toEqual(['manifest.json', 'b_owl.png', 'b_cat.png', 'b_dog.png'])
  expect(await ctl('emoji', 'purge', '--dry-run')).toContain('Would remove 3 of 3 emoji')
  expect(await ctl('emoji', 'purge')).toContain('3 of 3 emoji')
  expect(await known()).toEqual([])
  await ctl('emoji', 'import', await saved('printed.tar.gz', printed.bytes ?? Buffer.alloc(0)))
  expect(await known()).toEqual(before)
  expect(existsSync(path) && (await readFile(path)).length > 100).toBe(true)
})

test('an interrupted import never enables a disabled emoji', async () => {
  await ctl('emoji', 'disable', 'b_dog')
  const printed = await runWords(operator, 'emoji', 'export', '-')
  await ctl('emoji', 'remove', 'b_dog')
  const archive = await saved('stopped.tar.gz', printed.bytes ?? Buffer.alloc(0))
  const stopping: Operator = {
    ...operator,
    call: async (operation, input) => {
      if (operation.name === updateEmoji.name) throw new Error('stopped')
      return operator.call(operation, input)
    },
  }
  await runWords(stopping, 'emoji', 'import', archive)
  await ctl('emoji', 'import', archive)
  expect((await known()).find(([shortcode]) => shortcode === 'b_dog')?.at(-1)).toBe(true)
})

test('a known emoji of another server is copied by its shortcode', async () => {
  const miss = await runWords(operator, 'emoji', 'copy', 'wave', 'a.example')
  expect([miss.status, miss.error]).toEqual([1, 'No emoji :wave: of a.example is known here.'])
  const item = { owner: 'a.example', kind: 'emoji' as const, remote: 'https://a.example/w.png', shortcode: 'wave' }
  await cluster.call(proxyUrls, { items: [item] })
  // This cluster has no policy, so no fetch is allowed.
  expect(await runWords(operator, 'emoji', 'copy', 'wave', 'a.example')).toMatchObject({
    status: 1,
    error: 'The picture could not be fetched from its server',
  })
})

test('a known emoji is copied also if 200 newer emoji of its server have a shortcode that begins with its own', async () => {
  const item = { owner: 'b.example', kind: 'emoji' as const, remote: 'https://b.example/w.png', shortcode: 'wave' }
  await cluster.call(proxyUrls, { items: [item] })
  await cluster.db('media').run(sql`insert into pictures (id, owner, kind, remote_url, shortcode, created_at)
    select 9000000000000000000 + n, 'b.example', 'emoji', 'https://b.example/' || n, 'wave' || n, now()
    from generate_series(1, 200) n`)
  const { error } = await runWords(operator, 'emoji', 'copy', 'wave', 'B.example')
  expect(error).toBe('The picture could not be fetched from its server')
  const miss = await runWords(operator, 'emoji', 'copy', 'wav', 'b.example')
  expect(miss.error).toBe('No emoji :wav: of b.example is known here.')
})

test('a picture below 256 KB becomes an emoji, and one of 256 KB is refused with the limit', async () => {
  const most = 262_143
  const padded = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)])
  await ctl('emoji', 'add', 'heavy', await saved('most.png', padded(most)))
  for (const bytes of [most + 1, 2_000_000]) {
    const refused = await runWords(operator, 'emoji', 'add', 'heavier', await saved('more.png', padded(bytes)))
    expect([refused.status, refused.error]).toEqual([1, 'The picture must be smaller than 256 KB.'])
  }
  const archive = await saved(
    'heavy.tar.gz',
    await writeArchive([most, most + 1].map((bytes) => ({ name: `of_${bytes}.png`, bytes: padded(bytes) }))),
  )
  const { status, text } = await runWords(operator, 'emoji', 'import', archive)
  expect([status, text]).toEqual([1, expect.stringContaining(':of_262143:  added')])
  expect(text).toContain(':of_262144:  refused: Validation failed: Image size must be less than 256 KB')
  for (const shortcode of ['heavy', 'of_262143']) await ctl('emoji', 'remove', shortcode)
})

test('a dry run of a removal also finds a disabled emoji', async () => {
  await ctl('emoji', 'add', 'hidden', await saved('hidden.png', PNG))
  await ctl('emoji', 'disable', 'hidden')
  expect(await ctl('emoji', 'remove', 'hidden', '--dry-run')).toBe('Would remove: :hidden:')
  expect(await ctl('emoji', 'remove', 'hidden')).toBe('Removed.')
  expect((await runWords(operator, 'emoji', 'remove', 'hidden', '--dry-run')).status).toBe(1)
})
