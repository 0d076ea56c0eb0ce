/** A fake media service with the media types of the fixtures. */
import { attachmentFormats, findEmojis } from '@murmuration/contracts/media'
import type { App } from '@murmuration/kernel'
import { fakeService, handle } from './fake-service.js'
import type { Fixtures } from './fixtures.js'

export const mediaApp = (fixtures: Fixtures): App =>
  fakeService('media', fixtures, [
    handle(attachmentFormats, async () => ({ mime_types: fixtures.mimeTypes })),
    handle(findEmojis, async (_ctx, _viewer, { shortcodes }) => ({
      emojis: shortcodes
        .filter((name) => name === 'flock')
        .map((shortcode) => ({
          shortcode,
          url: `https://here.example/${shortcode}.gif`,
          static_url: `https://here.example/${shortcode}.png`,
        })),
    })),
  ])
