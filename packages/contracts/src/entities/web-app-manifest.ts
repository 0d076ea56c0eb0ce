/** Schema of the web app manifest. */
import { z } from 'zod'
import { Url } from './primitive.js'

const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i)

/** W3C Web Application Manifest, with the members that this server uses. */
export const WebAppManifest = z
  .strictObject({
    id: z.string().min(1),
    name: z.string(),
    short_name: z.string(),
    lang: z.string().min(2),
    icons: z.array(
      z.strictObject({
        src: Url,
        sizes: z.string().regex(/^\d+x\d+$/),
        type: z.string().min(1),
        purpose: z.string().min(1),
      }),
    ),
    theme_color: hexColor,
    background_color: hexColor,
    display: z.enum(['standalone', 'browser', 'minimal-ui']),
    start_url: z.string().min(1),
    scope: z.string().min(1),
  })
  .meta({ id: 'WebAppManifest', description: 'Web app manifest of the server.' })
export type WebAppManifest = z.infer<typeof WebAppManifest>
