/** Schemas of WebFinger and host-meta: discovery of accounts by handle. */
import { z } from 'zod'
import { Url } from './primitive.js'

/** A link of a WebFinger document. It has an address, or a template with one placeholder in braces. */
export const JrdLink = z
  .union([
    z.strictObject({ rel: z.string().min(1), type: z.string().optional(), href: Url }),
    z.strictObject({ rel: z.string().min(1), type: z.string().optional(), template: z.string().min(1) }),
  ])
  .meta({ id: 'JrdLink', description: 'A link of a resource descriptor.' })
export type JrdLink = z.infer<typeof JrdLink>

/** WebFinger document (RFC 7033 section 4.4). */
export const WebFinger = z
  .strictObject({ subject: z.string().startsWith('acct:'), aliases: z.array(Url), links: z.array(JrdLink) })
  .meta({ id: 'WebFinger', description: 'Links of a handle.' })
export type WebFinger = z.infer<typeof WebFinger>

/** host-meta document in its JSON form (RFC 6415 section 3). */
export const HostMeta = z
  .strictObject({ links: z.array(JrdLink).min(1) })
  .meta({ id: 'HostMeta', description: 'Address of WebFinger.' })
export type HostMeta = z.infer<typeof HostMeta>
