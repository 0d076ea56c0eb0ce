/** Schema of custom emoji in the picker and in texts. */
import { z } from 'zod'
import { Url } from './primitive.js'

/** A custom emoji. `category` is absent if the emoji has none. */
export const CustomEmoji = z
  .strictObject({
    shortcode: z.string().min(1),
    url: Url,
    static_url: Url,
    visible_in_picker: z.boolean(),
    category: z.string().optional(),
    featured: z.boolean(),
  })
  .meta({ id: 'CustomEmoji', description: 'A custom emoji; texts contain it as :shortcode:.' })
export type CustomEmoji = z.infer<typeof CustomEmoji>
