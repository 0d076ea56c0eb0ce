/** Avatars, headers and pictures of remote accounts and emoji. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** An avatar or header after processing; null urls mean the default picture. */
export const Picture = z.object({ url: z.string(), static_url: z.string(), media_type: z.string(), key: z.string() })

export const makePicture = operation('media.picture.make', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    owner: z.string(),
    kind: z.enum(['avatar', 'header']),
    /** Staging key of the upload. */
    key: z.string(),
  }),
  output: Picture,
  errors: ['unprocessable'],
  about: 'Turns an upload into an avatar or header: cropped, without metadata.',
})

export const proxyUrls = operation('media.picture.remote', {
  viewer: internal(),
  class: 'write',
  large: true,
  input: z.object({
    items: z
      .array(
        z.object({
          /** Account id, or for an emoji the domain it belongs to. */
          owner: z.string(),
          kind: z.enum(['avatar', 'header', 'emoji']),
          remote: z.string(),
          /** Of an emoji, so that staff can copy it. */
          shortcode: z.string().max(2_100).optional(),
          /** Of an emoji: when its picture was last another one, as its server says. With a later time it has a new address here. */
          updated: z.string().nullable().optional(),
          /** Domain of the owner: its rules hold for files on other hosts too. */
          domain: z.string().optional(),
        }),
      )
      .max(200),
  }),
  output: z.object({
    /** By remote address; for each the picture, and what to show instead of one that moves. */
    urls: z.record(z.string(), z.string()),
    static_urls: z.record(z.string(), z.string()),
  }),
  about:
    'Local addresses for pictures of remote accounts, each of one picture permanently: served from the cache, fetched by the worker or on first view. Addresses that are not http(s) or are ours are left out.',
})

export const dropPictures = operation('media.picture.drop', {
  viewer: internal(),
  class: 'write',
  input: z.object({ owner: z.string(), keys: z.array(z.string()).max(100) }),
  output: z.object({ dropped: z.int() }),
  about: 'Pictures made for this owner that nothing shows any more.',
})

export const replacedPictures = operation('media.picture.replaced', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    pictures: z.array(
      z.object({
        id: z.string(),
        /** Account id. */
        owner: z.string(),
        kind: z.enum(['avatar', 'header', 'emoji']),
        remote: z.string(),
      }),
    ),
  }),
  about: 'Pictures of remote accounts that newer ones replaced more than an hour ago, at most 500.',
})

export const settleReplaced = operation('media.picture.settle-replaced', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Ids of pictures that their accounts show. */
    shown: z.array(z.string()).max(500),
    /** Ids of pictures that their accounts do not show. */
    old: z.array(z.string()).max(500),
  }),
  output: z.object({ deleted: z.int() }),
  about: 'Keeps the replaced pictures that accounts show again, and deletes the others.',
})
