/** Operations for embedding a status in other pages (oEmbed). */
import { z } from 'zod'
import { OEmbed } from '../entities/index.js'
import { anyone, get, id, operation, optional, text } from '../kit/index.js'

/** Maximum size in pixels. A value that is no number means no maximum. */
const pixels = () => z.unknown().optional()

export const showOEmbed = operation('statuses.o-embed.show', {
  http: get('/api/oembed'),
  viewer: anyone(),
  cache: 'instance',
  input: z.object({ url: text(2_048).optional(), maxwidth: pixels(), maxheight: pixels() }),
  output: OEmbed,
  errors: ['not_found'],
  about: 'HTML that embeds a public local status in another page (oEmbed).',
})

export const showEmbed = operation('statuses.o-embed.of', {
  http: get('/api/web/embeds/:id'),
  viewer: optional('read|read:statuses'),
  class: 'search',
  input: z.object({ id: id(), maxwidth: pixels(), maxheight: pixels() }),
  output: OEmbed,
  errors: ['not_found'],
  about: 'HTML that embeds a public status in another page; for a remote status as its own server provides it.',
})
