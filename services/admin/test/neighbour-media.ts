/** A media service that can read what the test's world says. */
import { attachmentFormats } from '@murmuration/contracts/media'
import type { App } from '@murmuration/kernel'
import { handle, neighbour } from './neighbour.js'
import type { World } from './world.js'

export const mediaApp = (world: World): App =>
  neighbour('media', world, [handle(attachmentFormats, async () => ({ mime_types: world.mimeTypes }))])
