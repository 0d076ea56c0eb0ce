/** Schema of an oEmbed response, with which other sites embed a status. */
import { z } from 'zod'
import { Url } from './primitive.js'

/** oEmbed response (oEmbed 1.0 section 2.3.4.4). Sizes are in pixels, `cache_age` in seconds. */
export const OEmbed = z
  .strictObject({
    type: z.literal('rich'),
    version: z.literal('1.0'),
    title: z.string(),
    author_name: z.string(),
    author_url: Url,
    provider_name: z.string().min(1),
    provider_url: Url,
    cache_age: z.int().positive(),
    html: z.string().min(1),
    width: z.int().positive(),
    height: z.int().positive().nullable(),
  })
  .meta({ id: 'OEmbed', description: 'HTML that embeds a status in another page.' })
export type OEmbed = z.infer<typeof OEmbed>
