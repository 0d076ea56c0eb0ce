/** Tests of MediaAttachment JSON: one golden document per kind and state. */
import { MediaAttachment } from '@murmuration/contracts/entities'
import { expect, test, vi } from 'vitest'
import { geometryOf } from '../image/geometry.rules.js'
import { type Addresses, attachmentRecord, attachmentText } from './json.js'
import type { Attachment } from './store.js'

const addresses: Addresses = {
  stored: (key) => `https://local.example/system/${key}`,
  proxied: (token) => `https://local.example/media_proxy/${token}`,
  copied: (token) => `https://local.example/system/cache/${token}`,
  mayCopy: (domain) => domain !== 'refused.example',
  secret: 'secret',
}
const empty: Attachment = {
  id: '111111111111111111',
  owner: '1',
  status: null,
  scheduled: false,
  state: 'processing',
  type: 'image',
  media_type: 'image/jpeg',
  staged_key: null,
  staged_cover_key: null,
  original_key: null,
  small_key: null,
  remote_url: null,
  domain: null,
  description: null,
  blurhash: null,
  meta: {},
  focus_x: null,
  focus_y: null,
  failed_at: null,
  failure: null,
  created_at: new Date('2026-01-02T03:04:05.678Z'),
}
const image: Attachment = {
  ...empty,
  state: 'done',
  original_key: 'media/aa/bb.jpg',
  small_key: 'media/cc/dd.jpg',
  description: 'A "cat"\nasleep',
  blurhash: 'UEHV6nWB2yk8pyo0adR*.7kCMdnj2yk8pyo0',
  meta: { original: geometryOf({ width: 1_200, height: 800 }), small: geometryOf({ width: 588, height: 392 }) },
  focus_x: 0.5,
  focus_y: -0.25,
}
const video = { width: 640, height: 360, frame_rate: '30/1', duration: 4.5, bitrate: 600_000 }
const remote: Attachment = { ...empty, remote_url: 'https://remote.example/a.jpg', state: 'remote' }

const variants: Record<string, Attachment> = {
  image,
  'image-plain': { ...image, description: null, focus_x: null, focus_y: null },
  processing: { ...empty, type: 'video', media_type: 'video/webm' },
  video: {
    ...image,
    type: 'video',
    media_type: 'video/mp4',
    original_key: 'media/aa/bb.mp4',
    meta: { original: video, small: geometryOf({ width: 640, height: 360 }) },
  },
  gifv: { ...image, type: 'gifv', original_key: 'media/aa/bb.mp4', meta: { original: video } },
  audio: {
    ...empty,
    state: 'done',
    type: 'audio',
    media_type: 'audio/mpeg',
    original_key: 'media/aa/bb.mp3',
    meta: { original: { duration: 3, bitrate: 96_000 } },
  },
  'audio-cover': {
    ...image,
    type: 'audio',
    blurhash: null,
    meta: {
      original: { duration: 3, bitrate: 96_000 },
      small: geometryOf({ width: 640, height: 640 }),
      colors: { background: '#000000', foreground: '#ffffff', accent: '#ff0000' },
    },
  },
  remote,
  'remote-cached': {
    ...image,
    remote_url: remote.remote_url,
    state: 'cached',
    original_key: 'cache/a1-0',
    small_key: 'cache/t1-0',
  },
  'remote-uncached': { ...remote, state: 'uncached', meta: { original: geometryOf({ width: 40, height: 30 }) } },
  'remote-refused': { ...remote, domain: 'refused.example', meta: { original: geometryOf({ width: 40, height: 30 }) } },
  'remote-video': { ...remote, state: 'uncached', type: 'video', media_type: 'video/mp4' },
  'remote-unknown': { ...remote, state: 'uncached', type: 'unknown', media_type: 'application/pdf' },
}

test('each variant has the document in the golden file', async () => {
  const shown = Object.fromEntries(
    Object.entries(variants).map(([name, row]) => [
      name,
      MediaAttachment.parse(JSON.parse(attachmentText(addresses, row))),
    ]),
  )
  const text = `${JSON.stringify(shown, null, 2)}\n`
  expect(text).not.toContain('staging')
  await expect(text).toMatchFileSnapshot('./golden/attachment.golden.json')
})

test('an attachment record contains the fields that a status needs', () => {
  expect(attachmentRecord(addresses, image)).toEqual({
    id: image.id,
    type: 'image',
    media_type: 'image/jpeg',
    url: 'https://local.example/system/media/aa/bb.jpg',
    remote_url: null,
    preview_url: 'https://local.example/system/media/cc/dd.jpg',
    description: image.description,
    blurhash: image.blurhash,
    width: 1_200,
    height: 800,
    focus: [0.5, -0.25],
  })
  expect(attachmentRecord(addresses, variants.processing as Attachment)).toMatchObject({
    url: '',
    width: null,
    focus: null,
  })
})

test('the instance policy is evaluated once for each remote attachment', () => {
  const mayCopy = vi.fn(() => true)
  attachmentText({ ...addresses, mayCopy }, remote)
  expect(mayCopy).toHaveBeenCalledTimes(1)
})
