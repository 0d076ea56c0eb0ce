/** A fake media service with the media types of the fixtures. */
import { attachmentFormats, emojiFind } from '@murmuration/contracts/media'
import type { App } from '@murmuration/kernel'
import { handle, neighbour } from './neighbour.js'
import type { World } from './world.js'

export const mediaApp = (world: World): App =>
  neighbour('media', world, [
    handle(attachmentFormats, async () => ({ mime_types: world.mimeTypes })),
    handle(emojiFind, async (_ctx, _viewer, { shortcodes }) => ({
      emojis: shortcodes
        .filter((name) => name === 'flock')
        .map((shortcode) => ({
          shortcode,
          url: `https://here.example/${shortcode}.gif`,
          static_url: `https://here.example/${shortcode}.png`,
        })),
    })),
  ])
