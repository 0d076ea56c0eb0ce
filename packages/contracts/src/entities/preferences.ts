/** Schema of defaults that a user chose for posting and reading. */
import { z } from 'zod'
import { QuotePolicy } from './approval.js'
import { LanguageCode } from './primitive.js'
import { Visibility } from './visibility.js'

/** Preferences of a user for posting and reading. `posting:default:language` is never null. */
export const Preferences = z
  .strictObject({
    'posting:default:visibility': Visibility,
    'posting:default:sensitive': z.boolean(),
    'posting:default:language': LanguageCode,
    'posting:default:quote_policy': QuotePolicy,
    'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': z.boolean(),
    'reading:autoplay:gifs': z.boolean(),
  })
  .meta({ id: 'Preferences', description: 'Defaults of the viewer.' })
export type Preferences = z.infer<typeof Preferences>
