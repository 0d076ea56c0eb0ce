/** Tests of avatars and headers: created from uploads, scaled, and deleted when they are no longer shown. */
import { accountRemoved, localPicturesReplaced } from '@murmuration/contracts/accounts'
import { dropPictures, makePicture } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePicturesOf } from '../src/core/picture/store.js'
import { app } from '../src/main.js'
import { type Harness, startHarness } from './harness.js'
import { movingGif, noise, telephoneJpeg } from './pictures.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ MEDIA_FFMPEG: 'off' })
})
afterAll(() => harness.stop())

const make = async (bytes: Buffer, kind: 'avatar' | 'header' = 'avatar', owner = '1') =>
  harness.cluster.call(makePicture, { owner, kind, key: (await harness.stage(bytes)).key })

test('an avatar is cropped to a square of 400, a header keeps its aspect ratio within its area, both without metadata', async () => {
  const avatar = await make(await telephoneJpeg(900, 500))
  const bytes = await harness.read(avatar.url)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 400, height: 400, format: 'jpeg' })
  expect(bytes.includes('SECRET-PLACE')).toBe(false)
  expect(avatar).toMatchObject({ static_url: avatar.url, media_type: 'image/jpeg', key: harness.keyOf(avatar.url) })
  expect(avatar.key).toMatch(/^avatars\//)
  const header = await make(await noise(1_800, 600).png().toBuffer(), 'header')
  const { width = 0, height = 0, format } = await sharp(await harness.read(header.url)).metadata()
  expect(width * height).toBeLessThanOrEqual(750_000)
  expect(width / height).toBeCloseTo(3, 1)
  expect([format, header.key.split('/')[0]]).toEqual(['png', 'headers'])
  expect((await harness.blobs.list('staging/')).blobs).toEqual([])
})

test('an animated avatar has a still PNG, and both are deleted together', async () => {
  const made = await make(await movingGif(200, 100, 3))
  expect(await sharp(await harness.read(made.url)).metadata()).toMatchObject({
    format: 'gif',
    pages: 3,
    width: 400,
    height: 400,
  })
  expect(await sharp(await harness.read(made.static_url)).metadata()).toMatchObject({
    format: 'png',
    width: 400,
    height: 400,
  })
  expect(await harness.cluster.call(dropPictures, { owner: '2', keys: [made.key] })).toEqual({ dropped: 0 })
  expect(await harness.cluster.call(dropPictures, { owner: '1', keys: [made.key] })).toEqual({ dropped: 1 })
  await expect(harness.read(made.url)).rejects.toThrow('nothing is stored')
  await expect(harness.read(made.static_url)).rejects.toThrow('nothing is stored')
})

test('an invalid, large or unstaged picture is refused with an error that names the field, and no file stays', async () => {
  const jpeg = await noise(40, 40).jpeg().toBuffer()
  const refused = (bytes: Buffer, kind?: 'avatar' | 'header') => expect(make(bytes, kind)).rejects
  await refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')).toMatchObject({
    status: 422,
    message: 'Validation failed: Avatar content type is not supported: it must be jpeg, png, gif or webp',
  })
  await refused(Buffer.concat([jpeg, Buffer.alloc(8_388_608 - jpeg.length)]), 'header').toMatchObject({
    status: 422,
    message: 'Validation failed: Header size must be less than 8 MB',
  })
  await refused(jpeg.subarray(0, 500)).toMatchObject({ status: 422 })
  const made = await make(jpeg)
  await expect(harness.cluster.call(makePicture, { owner: '1', kind: 'avatar', key: made.key })).rejects.toMatchObject({
    status: 422,
  })
  expect(await harness.blobs.head(made.key)).not.toBeNull()
  const left = await harness.cluster.db('media').rows(sql`select key from loose_files`)
  expect([left, (await harness.blobs.list('staging/')).blobs]).toEqual([[], []])
})

test('pictures that a local account replaced are deleted, and with the account all of its pictures', async () => {
  const bytes = await noise(40, 40).jpeg().toBuffer()
  const [replaced, lost, header] = await Promise.all([
    make(bytes, 'avatar', '7'),
    make(bytes, 'avatar', '7'),
    make(bytes, 'header', '7'),
  ])
  const other = await make(bytes, 'avatar', '8')
  const stored = async () =>
    (await Promise.all([replaced, lost, header, other].map(({ key }) => harness.blobs.head(key)))).map(
      (head) => head !== null,
    )
  /** Handles an event twice, because it may be delivered twice. */
  const handle = async (event: object, data: object) => {
    const entry = app.manifest.reactions.find((one) => one.event === event)
    for (const _ of [1, 2]) await entry?.run(harness.context(), { ...data, eventId: '1', at: 0, consumer: 'media' })
  }
  await handle(localPicturesReplaced, { owner: '7', keys: [replaced.key, other.key] })
  await expect.poll(stored).toEqual([false, true, true, true])
  await handle(accountRemoved, { id: '7', local: true, uri: 'https://here.example/7' })
  await expect.poll(stored).toEqual([false, false, false, true])
})

test('pictures of an account are found with an index', async () => {
  const db = harness.cluster.db('media')
  await db.run(sql`insert into pictures (id, owner, kind, key, remote_url, created_at)
    select 900000 + n, n, 'avatar', 'avatars/' || n, case when n % 2 = 0 then 'https://a.example/' || n end, now()
    from generate_series(1, 10000) n`)
  await db.run(sql`analyze pictures`)
  const plans = await plansOf(db, async (reader) => {
    await deletePicturesOf(reader, '999', { local: true })
    await deletePicturesOf(reader, '999', { local: false })
  })
  expect(plans).toContain('pictures_uploaded')
  expect(plans).toContain('pictures_remote')
})

test('remote pictures are found with an index', async () => {
  const plan = await harness.cluster.db('media').tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.rows(sql`explain select p.id from pictures p join unnest('{1}'::text[], '{avatar}'::text[], '{https://a.example}'::text[])
      as wanted(owner, kind, remote_url) on p.owner = wanted.owner and p.kind = wanted.kind and p.remote_url = wanted.remote_url
      where p.remote_url is not null`)
  })
  expect(JSON.stringify(plan)).toContain('pictures_remote')
})
