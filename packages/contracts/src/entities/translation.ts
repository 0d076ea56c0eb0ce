/** Schema of translations of statuses. */
import { z } from 'zod'
import { Html, Id, LanguageCode } from './primitive.js'

/** A translated status. `content` is HTML; ids are those of the original. */
export const Translation = z
  .strictObject({
    content: Html,
    spoiler_text: z.string(),
    language: LanguageCode,
    detected_source_language: LanguageCode,
    provider: z.string(),
    poll: z.strictObject({ id: Id, options: z.array(z.strictObject({ title: z.string() })) }).nullable(),
    media_attachments: z.array(z.strictObject({ id: Id, description: z.string() })),
  })
  .meta({ id: 'Translation', description: 'A status in another language.' })
export type Translation = z.infer<typeof Translation>
