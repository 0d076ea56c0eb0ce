/** NodeInfo 2.0: public metadata of the server. The schema refuses further members, and has the enumerations of the NodeInfo schema. */
import { z } from 'zod'
import { Url } from './primitive.js'

const protocols = [
  'activitypub',
  'buddycloud',
  'dfrn',
  'diaspora',
  'libertree',
  'ostatus',
  'pumpio',
  'tent',
  'xmpp',
  'zot',
] as const
const inbound = ['atom1.0', 'gnusocial', 'imap', 'pnut', 'pop3', 'pumpio', 'rss2.0', 'twitter'] as const
const outbound = [
  'atom1.0',
  'blogger',
  'buddycloud',
  'diaspora',
  'dreamwidth',
  'drupal',
  'facebook',
  'friendica',
  'gnusocial',
  'google',
  'insanejournal',
  'libertree',
  'linkedin',
  'livejournal',
  'mediagoblin',
  'myspace',
  'pinterest',
  'pnut',
  'posterous',
  'pumpio',
  'redmatrix',
  'rss2.0',
  'smtp',
  'tent',
  'tumblr',
  'twitter',
  'wordpress',
  'xmpp',
] as const

const total = z.int().nonnegative()

/** NodeInfo document (http://nodeinfo.diaspora.software/ns/schema/2.0). Active accounts signed in within 30 or 180 days. */
export const NodeInfo = z
  .strictObject({
    version: z.literal('2.0'),
    software: z.strictObject({ name: z.string().regex(/^[a-z0-9-]+$/), version: z.string() }),
    protocols: z.array(z.enum(protocols)).min(1),
    services: z.strictObject({ inbound: z.array(z.enum(inbound)), outbound: z.array(z.enum(outbound)) }),
    openRegistrations: z.boolean(),
    usage: z.strictObject({
      users: z.strictObject({
        total: total.optional(),
        activeHalfyear: total.optional(),
        activeMonth: total.optional(),
      }),
      localPosts: total.optional(),
      localComments: total.optional(),
    }),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'NodeInfo', description: 'NodeInfo 2.0 of this server.' })
export type NodeInfo = z.infer<typeof NodeInfo>

/** The links of `/.well-known/nodeinfo`. */
export const NodeInfoDiscovery = z
  .strictObject({ links: z.array(z.strictObject({ rel: z.string().min(1), href: Url })).min(1) })
  .meta({ id: 'NodeInfoDiscovery', description: 'Links to the NodeInfo document.' })
export type NodeInfoDiscovery = z.infer<typeof NodeInfoDiscovery>
