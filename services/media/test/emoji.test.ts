/** Tests of custom emoji: added, listed, found by shortcode, replaced, and deleted with their files. */
import { CustomEmoji } from '@murmuration/contracts/entities'
import { createEmoji, findEmojis, listEmojis, removeEmoji, updateEmoji } from '@murmuration/contracts/media'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'
import { movingGif, noise } from './pictures.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ MEDIA_FFMPEG: 'off' })
})
afterAll(() => harness.stop())

const add = async (shortcode: string, bytes: Buffer, category: string | null = null) =>
  harness.cluster.call(createEmoji, { shortcode, image: bytes.toString('base64'), category })
const listed = async () => CustomEmoji.array().parse(await harness.cluster.call(listEmojis, {}))
const found = async (...shortcodes: string[]) =>
  (await harness.cluster.call(findEmojis, { shortcodes })).emojis.map((one) => one.shortcode)

test('an animated emoji has a still picture; both are small and listed', async () => {
  const flock = await add('flock', await movingGif(64, 64, 3), 'birds')
  expect(await sharp(await harness.read(flock.url)).metadata()).toMatchObject({ format: 'gif', pages: 3 })
  expect(await sharp(await harness.read(flock.static_url)).metadata()).toMatchObject({ format: 'png' })
  await add('Egg_1', await noise(120, 60).png().toBuffer())
  expect((await listed()).map(({ shortcode, category }) => [shortcode, category])).toEqual([
    ['Egg_1', undefined],
    ['flock', 'birds'],
  ])
  expect(await found('flock', 'Egg_1', 'egg_1', 'other')).toEqual(['Egg_1', 'flock'])
})

test('a disabled emoji is neither listed nor found, and a hidden one is found', async () => {
  await harness.cluster.call(updateEmoji, { shortcode: 'flock', disabled: true })
  expect([(await listed()).length, await found('flock')]).toEqual([1, []])
  await harness.cluster.call(updateEmoji, { shortcode: 'flock', disabled: false, visible_in_picker: false })
  expect([(await listed()).length, await found('flock')]).toEqual([1, ['flock']])
})

test('a new picture replaces the old one and its files, and a removal deletes all files', async () => {
  const first = await add('nest', await noise(50, 50).png().toBuffer())
  const second = await add('nest', await noise(60, 60).png().toBuffer())
  expect(second.url).not.toBe(first.url)
  await expect(harness.read(first.url)).rejects.toThrow('nothing is stored')
  await harness.cluster.call(removeEmoji, { shortcode: 'nest' })
  expect(await found('nest')).toEqual([])
  await expect(harness.read(second.url)).rejects.toThrow('nothing is stored')
  await expect(harness.cluster.call(removeEmoji, { shortcode: 'nest' })).rejects.toThrow('Record not found')
})

test('a shortcode has at most 128 characters, and longer ones in texts are not found', async () => {
  const png = await noise(20, 20).png().toBuffer()
  const longest = 'x'.repeat(128)
  await add(longest, png)
  expect(await found(longest, `${longest}x`)).toEqual([longest])
  await expect(add(`${longest}x`, png)).rejects.toThrow('is too long (maximum is 128 characters)')
  await harness.cluster.call(removeEmoji, { shortcode: longest })
})

test('invalid shortcodes and files are refused with an error that names the field', async () => {
  const png = await noise(20, 20).png().toBuffer()
  await expect(add('a', png)).rejects.toThrow('Shortcode is too short')
  await expect(add('with space', png)).rejects.toThrow('Shortcode only letters, numbers and underscores')
  await expect(add('text', Buffer.from('hello'))).rejects.toThrow('Image content type is not supported')
})
