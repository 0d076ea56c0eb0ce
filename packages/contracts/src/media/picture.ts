/** Operations about avatars, headers and pictures of remote accounts and emoji. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** A processed avatar or header. */
export const Picture = z.object({ url: z.string(), static_url: z.string(), media_type: z.string(), key: z.string() })

export const makePicture = operation('media.picture.make', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    owner: z.string(),
    kind: z.enum(['avatar', 'header']),
    /** Staging key of the uploaded picture. */
    key: z.string(),
  }),
  output: Picture,
  errors: ['unprocessable'],
  about: 'Creates an avatar or header from an upload: cropped, without metadata.',
})

export const proxyUrls = operation('media.picture.remote', {
  viewer: internal(),
  class: 'write',
  large: true,
  input: z.object({
    items: z
      .array(
        z.object({
          /** Id of the account with the picture. For a custom emoji: its domain. */
          owner: z.string(),
          kind: z.enum(['avatar', 'header', 'emoji']),
          remote: z.string(),
          /** Shortcode of the custom emoji with the picture, so that staff can copy the emoji. */
          shortcode: z.string().max(2_100).optional(),
          /**
           * Time of the last change of the emoji's picture, as its server states it. After a later change, the picture
           * gets a new URL here.
           */
          updated: z.string().nullable().optional(),
          /** Domain of the owner of the picture. Domain rules for this domain also apply to files on other hosts. */
          domain: z.string().optional(),
        }),
      )
      .max(200),
  }),
  output: z.object({
    /**
     * Local URLs by remote address: the URL of the picture, and of its still image. The latter leads to the picture if that
     * is not an animation.
     */
    urls: z.record(z.string(), z.string()),
    static_urls: z.record(z.string(), z.string()),
  }),
  about:
    'Local URLs for pictures of remote accounts; a URL never changes its picture. Addresses that are not http(s) or are local are left out. Emoji that the instance policy refuses, or that were given up, are left out too.',
})

export const dropPictures = operation('media.picture.drop', {
  viewer: internal(),
  class: 'write',
  input: z.object({ owner: z.string(), keys: z.array(z.string()).max(100) }),
  output: z.object({ dropped: z.int() }),
  about: 'Deletes pictures of an account that it no longer uses.',
})

export const replacedPictures = operation('media.picture.replaced', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    pictures: z.array(
      z.object({
        id: z.string(),
        /** Id of the account with the picture. */
        owner: z.string(),
        kind: z.enum(['avatar', 'header', 'emoji']),
        remote: z.string(),
      }),
    ),
  }),
  about: 'Pictures of remote accounts that newer ones replaced more than an hour ago, at most 500.',
})

export const cleanUpReplaced = operation('media.picture.settle-replaced', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Ids of pictures that their accounts currently use. */
    shown: z.array(z.string()).max(500),
    /** Ids of pictures that their accounts no longer use. */
    old: z.array(z.string()).max(500),
  }),
  output: z.object({ deleted: z.int() }),
  about: 'Keeps replaced pictures that their accounts use again, and deletes the others.',
})
